import type { OrderPages } from './order.ts'

/** Where an order's pages are, below the base path. They match the routes of the pages. */

export function formPath({ token }: Pick<OrderPages, 'token'>): string {
  return `/form/${token}`
}

/** Where the gateway takes the customer through 3DS. */
export function threeDsPath({ token }: Pick<OrderPages, 'token'>): string {
  return `/3ds/redirect/${token}`
}
