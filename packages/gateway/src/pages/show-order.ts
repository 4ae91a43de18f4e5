import type { StoredOrder } from '../orders/order.ts'
import { formPage } from './form/form-page.ts'
import type { Page, PageAnswer } from './layout.ts'
import { type OrderView, viewOf } from './order-summary.ts'
import { expiredPage, failurePage, returnPage, waitPage } from './outcome.ts'
import { languageOf, type PageContext } from './page-route.ts'
import { threeDsPage } from './three-ds/three-ds-page.ts'

/** The page of an order, in whatever state the order is now. */
export async function showOrder(context: PageContext): Promise<PageAnswer> {
  const order = await context.orderOfPage()
  if (order === undefined) return failurePage('not-found', context.language)
  const view = viewOf(order, context)
  if (view.shows === 'return') await context.service.faults.callbackBeforeReturn(order)
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
