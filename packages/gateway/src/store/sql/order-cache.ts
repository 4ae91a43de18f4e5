import type { StoredOrder } from '../../orders/order.ts'

/** An order as the database has it, and the number of its row. */
export interface KnownOrder {
  readonly seq: number
  readonly order: StoredOrder
}

/**
 * The orders that were read or written last. A change is compared with the cached order, so that it reads nothing and writes
 * only what is new. If other processes write too, the version in the database decides whether the cached order still holds.
 * Reading an order always asks the database; with a file that only this process writes, the cached order is the answer if it
 * has the version in the database. Two generations: the older one is forgotten when the newer is full.
 */
export class OrderCache {
  readonly #size: number
  #newer = new Map<string, KnownOrder>()
  #older = new Map<string, KnownOrder>()

  /** @param size The most orders to cache. */
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

  /** Drops an order that does not hold any more, or may not. */
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
