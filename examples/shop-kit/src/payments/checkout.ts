import { customer } from '@tallystick/testing'
import { toMinor } from '../money.ts'
import type { Product } from '../products.ts'
import { newOrderId } from './order-id.ts'
import { recordResult } from './record-result.ts'
import type { Till } from './till.ts'

export interface Checkout {
  readonly shopOrder: string
  /** The gateway's page, which asks for the card: no card number ever touches the shop. */
  readonly payUrl: string | undefined
}

/** Opens an order and the gateway's page for it. */
export async function checkout(till: Till, product: Product, customerIp: string): Promise<Checkout> {
  const { journal, database, addresses, now } = till
  const { kind, name, price: amount, currency } = product
  const id = newOrderId()
  const payment = `payment of ${id}`
  const cents = toMinor(amount) ?? 0n
  const createdAt = now()
  // The order comes first: whatever becomes of the payment, the customer has a page that shows it.
  await database.write((rows) => {
    rows.openOrder({ id, name, amount: cents, currency, createdAt })
    rows.addOperation({ name: payment, shopOrder: id, kind, amount: cents, status: 'sent', createdAt })
  })
  const result = await journal.pay(payment, kind === 'sale' ? 'saleForm' : 'preauthForm', {
    ...customer,
    // The gateway's page shows this text, so it contains the order number that the customer knows.
    orderDesc: `${name}, order ${id}`,
    amount,
    currency,
    customerIp,
    redirectUrl: addresses.comeBack,
    notifyUrl: addresses.callback,
  })
  await recordResult(till, payment, result)
  return { shopOrder: id, payUrl: result.intent.redirectUrl }
}
