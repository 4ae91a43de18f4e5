/** Who waits for which order in this process, so that a callback can wake them. */
export class Waiters {
  readonly #waiting = new Map<string, Set<() => void>>()
  #isClosed = false

  /** Whether nobody can be asked any more. */
  get isClosed(): boolean {
    return this.#isClosed
  }

  /** The result takes the waiter away again. */
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

  /** Wakes all: waiting leads to nothing now. */
  close(): void {
    this.#isClosed = true
    for (const clientOrderId of this.#waiting.keys()) this.wake(clientOrderId)
  }
}
