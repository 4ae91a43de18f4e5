import type { StoredOrder } from '../orders/order.ts'
import { expiredPage } from './expired-page.ts'
import { failurePage } from './failure-pages.ts'
import { formPage } from './form/form-page.ts'
import { languageOf } from './language-of.ts'
import type { Page, PageAnswer } from './page.ts'
import type { PageContext } from './page-route.ts'
import { returnPage } from './return-page.ts'
import { threeDsPage } from './three-ds/three-ds-page.ts'
import { type OrderView, viewOf } from './view-of.ts'
import { waitPage } from './wait-page.ts'

/** The page of an order, in whatever state the order is now. */
export async function showOrder(context: PageContext): Promise<PageAnswer> {
  const order = await context.orderOfPage()
  if (order === undefined) return failurePage('not-found', context.language)
  const view = viewOf(order, context)
  if (view.shows === 'return') await context.faults.callbackBeforeReturn(order)
  return pageOf(order, view, context)
}

function pageOf(order: StoredOrder, view: OrderView, context: PageContext): Page {
  switch (view.shows) {
    case 'form':
      return formPage(order, view.form, context)
    case 'three-ds':
      return threeDsPage(order, view.awaits, context)
    case 'wait':
      return waitPage(order, context)
    case 'return':
      return returnPage(order, context)
    case 'nothing':
      return failurePage('not-found', languageOf(order, context))
    case 'expired':
      return expiredPage(order, context)
  }
}
