import type { StoredOrder } from '../../orders/order.ts'

/** An order as the database has it, and the number of its row. */
export interface KnownOrder {
  readonly seq: number
  readonly order: StoredOrder
}

/**
 * The orders that were read or written last. A change is compared with what is known, so that it reads nothing and only
 * what is new is written. Where others write too, the version in the database decides whether what is known still holds. Who asks
 * for an order gets it from the database all the same; of a file that nobody else writes, what is known of the version that is
 * there. Two generations: the older one is forgotten when the newer is full.
 */
export class OrderCache {
  readonly #size: number
  #newer = new Map<string, KnownOrder>()
  #older = new Map<string, KnownOrder>()

  /** @param size How many are known at most. */
  constructor(size: number) {
    this.#size = size
  }

  get(orderId: string): KnownOrder | undefined {
    const newer = this.#newer.get(orderId)
    if (newer !== undefined) return newer
    const older = this.#older.get(orderId)
    if (older !== undefined) this.set(older)
    return older
  }

  set(known: KnownOrder): void {
    if (this.#size === 0) return
    this.#newer.set(known.order.orderId, known)
    if (2 * this.#newer.size < this.#size) return
    this.#older = this.#newer
    this.#newer = new Map()
  }

  /** What is known of this order does not hold, or may not. */
  forget(orderId: string): void {
    this.#newer.delete(orderId)
    this.#older.delete(orderId)
  }

  /** After a rollback: what was written may not be there. */
  clear(): void {
    this.#newer.clear()
    this.#older.clear()
  }
}
