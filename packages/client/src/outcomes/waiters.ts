/** What waits for which order in this process, so that a callback can wake it. */
export class Waiters {
  readonly #waiting = new Map<string, Set<() => void>>()
  /** Whether the client is closed, so that it can ask no gateway. */
  isClosed = false

  /** The result removes the waiter. */
  add(clientOrderId: string, wake: () => void): () => void {
    const others = this.#waiting.get(clientOrderId) ?? new Set()
    this.#waiting.set(clientOrderId, others)
    others.add(wake)
    return () => {
      others.delete(wake)
      if (others.size === 0) this.#waiting.delete(clientOrderId)
    }
  }

  wake(clientOrderId: string): void {
    for (const wake of this.#waiting.get(clientOrderId) ?? []) wake()
  }

  /** Wakes all: waiting is pointless now. */
  close(): void {
    this.isClosed = true
    for (const clientOrderId of this.#waiting.keys()) this.wake(clientOrderId)
  }
}
