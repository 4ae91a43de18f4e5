/** Counts what is under way, so that closing can wait for it. */
export class UnderWay {
  #count = 0
  #waiting: Array<() => void> = []

  begin(): void {
    this.#count++
  }

  end(): void {
    this.#count--
    if (this.#count === 0) for (const wake of this.#waiting.splice(0)) wake()
  }

  /** Resolves once nothing is under way. */
  none(): Promise<void> {
    return this.#count === 0 ? Promise.resolve() : new Promise((resolve) => this.#waiting.push(resolve))
  }
}
