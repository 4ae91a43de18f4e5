import type { OrderPages } from '../orders/order.ts'
import type { Opening } from './open-order.ts'

/** What is to be paid; a request that moves no money names neither. */
export function moneyOf(request: {
  readonly amount?: string | undefined
  readonly currency?: string | undefined
}): Opening['money'] {
  const { amount, currency } = request
  return amount === undefined || currency === undefined ? undefined : { amount, currency }
}

/** A merchant who sends data of the customer's browser takes the customer through 3DS themselves. */
export function threeDsOf(request: { readonly browserInfo?: boolean | undefined }): OrderPages['threeDs'] {
  return request.browserInfo === true ? 'server' : 'redirect'
}
