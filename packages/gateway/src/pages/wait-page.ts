import { html } from '@remix-run/html-template'
import type { StoredOrder } from '../orders/order.ts'
import { languageOf } from './language-of.ts'
import type { Page } from './page.ts'
import type { PageContext } from './page-route.ts'

/** Seconds after which the page reloads. */
const REFRESH_AFTER = 2

/** Shown while the acquirer is asked. The page reloads on its own, with or without script. */
export function waitPage(order: StoredOrder, context: PageContext): Page {
  const language = languageOf(order, context)
  const { texts } = language
  return {
    kind: 'page',
    language,
    title: texts.titleOfWaiting,
    refreshAfter: REFRESH_AFTER,
    body: html`<div class="spinner"></div>
<h1>${texts.titleOfWaiting}</h1>
<p role="status">${texts.waiting}</p>
<a class="button" href="">${texts.checkNow}</a>`,
  }
}
