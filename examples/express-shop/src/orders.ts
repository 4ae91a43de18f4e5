import { randomBytes } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import type { PaymentOutcome } from '@tallystick/client'
import type { Product } from './products.ts'

/** An order of the shop. `waiting` until the gateway's status says how it ended. */
export interface Order {
  /** Also the `clientOrderId` of the payment. */
  readonly id: string
  readonly product: Product
  readonly state: 'waiting' | 'paid' | 'not paid' | 'needs a person'
  /** What the customer is told. */
  readonly note: string
}

/** The shop's orders. In memory, because this is an example; a shop keeps them in its database. */
export class Orders {
  readonly #orders = new Map<string, Order>()
  readonly #changes = new EventEmitter()

  open(product: Product): Order {
    const order: Order = { id: newOrderId(), product, state: 'waiting', note: 'Waiting for the bank.' }
    return this.#save(order)
  }

  find(id: string): Order | undefined {
    return this.#orders.get(id)
  }

  all(): readonly Order[] {
    return [...this.#orders.values()]
  }

  refuse(order: Order, note: string): Order {
    return this.#save({ ...order, state: 'not paid', note })
  }

  /** Records an outcome. Harmless to repeat, because gateways repeat their callbacks. */
  settle({ clientOrderId, status, reply }: PaymentOutcome): void {
    const order = this.#orders.get(clientOrderId)
    if (order === undefined) return
    const { price, currency } = order.product
    if (status !== 'approved') {
      this.#save({ ...order, state: 'not paid', note: reply.errorMessage ?? `The bank said: ${status}.` })
    } else if (reply.amount === price && reply.currency === currency) {
      this.#save({ ...order, state: 'paid', note: `Paid with ${reply.cardType} ending in ${reply.lastFourDigits}.` })
    } else {
      this.#save({ ...order, state: 'needs a person', note: 'The amount that was paid is not the price.' })
    }
  }

  /** The order once it is no longer waiting. */
  async settled(id: string, signal: AbortSignal): Promise<Order> {
    let order = this.#orders.get(id)
    while (order === undefined || order.state === 'waiting') {
      await once(this.#changes, id, { signal })
      order = this.#orders.get(id)
    }
    return order
  }

  #save(order: Order): Order {
    this.#orders.set(order.id, order)
    this.#changes.emit(order.id)
    return order
  }
}

/** Begins and ends with a letter, so that no border of a control string can shift. */
function newOrderId(): string {
  return `shop-${randomBytes(8).toString('hex')}-x`
}
