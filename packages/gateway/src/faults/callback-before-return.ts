import type { StoredOrder } from '../orders/order.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Delivery } from '../store/delivery.ts'
import type { FaultDesk } from './fault-plan.ts'

/** Longer than an attempt takes. A shop that does not answer must not hold a customer up for good. */
const LONGEST_WAIT_MS = 20_000

/** For how many orders to remember that a callback was sent. */
const MOST_ORDERS = 1000

/** Lets a page wait for the callback of its order. */
export class CallbackBeforeReturn {
  readonly #desk: FaultDesk
  readonly #clock: Clock
  readonly #deliveriesOf: (orderId: string) => Promise<readonly Delivery[]>
  readonly #sent = new Map<string, PromiseWithResolvers<void>>()

  constructor(desk: FaultDesk, clock: Clock, deliveriesOf: (orderId: string) => Promise<readonly Delivery[]>) {
    this.#desk = desk
    this.#clock = clock
    this.#deliveriesOf = deliveriesOf
  }

  /** To be called when a callback of the order was sent, whether it was answered or not. */
  sent(orderId: string): void {
    this.#of(orderId).resolve()
  }

  /** Resolves at once. With the fault, resolves when the first callback of the order was sent, or after 20 seconds. */
  async wait(order: StoredOrder): Promise<void> {
    const { orderId } = order
    if (!this.#desk.of(order).has('callback-before-return')) return
    const deliveries = await this.#deliveriesOf(orderId)
    if (!deliveries.some(({ state, made }) => state === 'open' && made === 0)) return
    const late = Promise.withResolvers<void>()
    const cancel = this.#clock.schedule(LONGEST_WAIT_MS, late.resolve)
    await Promise.race([this.#of(orderId).promise, late.promise])
    cancel()
  }

  #of(orderId: string): PromiseWithResolvers<void> {
    const known = this.#sent.get(orderId)
    if (known !== undefined) return known
    const added = Promise.withResolvers<void>()
    this.#sent.set(orderId, added)
    const [oldest] = this.#sent.keys()
    if (this.#sent.size > MOST_ORDERS && oldest !== undefined) this.#sent.delete(oldest)
    return added
  }
}
