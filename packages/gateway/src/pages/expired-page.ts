import { html } from '@remix-run/html-template'
import type { StoredOrder } from '../orders/order.ts'
import { languageOf } from './language-of.ts'
import { outcomeText } from './outcome.ts'
import type { Page } from './page.ts'
import type { PageContext } from './page-route.ts'

/** The page of an order that needs its customer no more: whether money has moved, and nothing else about the order. */
export function expiredPage(order: StoredOrder, context: PageContext): Page {
  const language = languageOf(order, context)
  const { texts } = language
  return {
    kind: 'page',
    status: 410,
    language,
    title: texts.titleOfExpired,
    body: html`<h1>${texts.titleOfExpired}</h1><p role="status">${texts[outcomeText(order)]}</p><p>${texts.askTheShop}</p>`,
  }
}
