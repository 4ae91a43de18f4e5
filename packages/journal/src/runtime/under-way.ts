/** Calls that have begun and not ended. */
export class UnderWay {
  readonly #calls = new Set<Promise<unknown>>()

  /** Whether there are any. */
  get isAny(): boolean {
    return this.#calls.size > 0
  }

  /** Counts a call until it ends, whether it succeeds or fails. */
  async during<Result>(call: () => Promise<Result>): Promise<Result> {
    const running = call()
    this.#calls.add(running)
    try {
      return await running
    } finally {
      this.#calls.delete(running)
    }
  }

  /** Resolves when none is left, including those that begin meanwhile. */
  async ended(): Promise<void> {
    while (this.isAny) await Promise.allSettled(this.#calls)
  }
}
