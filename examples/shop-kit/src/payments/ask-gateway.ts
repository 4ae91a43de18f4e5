import { isPaymentError, type ReplyValues } from '@tallystick/core'
import type { ShopOrder } from '../rows/order.ts'
import type { Till } from './till.ts'

/** The gateway's status of an order now, or why there is none. Only for display: what counts is what the journal reports. */
export type AtGateway = { readonly reply: ReplyValues<'status'> } | { readonly problem: string }

export async function askGateway({ client }: Pick<Till, 'client'>, { clientOrderId }: ShopOrder): Promise<AtGateway> {
  if (clientOrderId === undefined) return { problem: 'The gateway does not know this order yet.' }
  try {
    return { reply: await client.status({ clientOrderId }) }
  } catch (error) {
    if (isPaymentError(error)) return { problem: error.message }
    throw error
  }
}
