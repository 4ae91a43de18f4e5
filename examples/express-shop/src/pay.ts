import type { OperationResult, PaymentClient } from '@tallystick/client'
import type { Order } from './orders.ts'

export interface Payment {
  readonly cardNumber: string
  readonly cardPrintedName: string
  readonly expireMonth: string
  readonly expireYear: string
  readonly cvv2: string
  readonly customerIp: string
  readonly serverCallbackUrl: string
}

/** How the sale of an order began. */
export interface PaymentStart {
  readonly outcome: OperationResult<'sale'>['outcome']
  /** Why nothing was charged, if that is certain already. Otherwise the callback will tell. */
  readonly refused?: string
}

/** Sends the sale of an order, once. */
export async function pay(client: Pick<PaymentClient, 'sale'>, order: Order, payment: Payment): Promise<PaymentStart> {
  const { name, price, currency } = order.product
  const result = await client.sale({
    clientOrderId: order.id,
    orderDesc: name,
    amount: price,
    currency,
    address1: '100 Main st',
    city: 'Seattle',
    state: 'WA',
    zipCode: '98102',
    country: 'US',
    phone: '+12063582043',
    email: 'john.smith@example.com',
    ...payment,
  })
  const { outcome } = result
  switch (outcome) {
    case 'rejected':
    case 'notSent':
      return { outcome, refused: result.error.message }
    case 'accepted':
    case 'unknown':
      // After `unknown` the money may have moved: the order stays waiting, the callback will tell, or `result.resolve()`.
      return { outcome }
  }
}
