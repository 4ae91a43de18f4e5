import type { Handler } from '@tallystick/client'

/** What an instance is answering, so that a shutdown can wait for it: a caller that hangs up ends nothing here. */
export class UnderWay {
  readonly #all = new Set<Promise<unknown>>()
  #lastFailed = false
  #isEnding = false

  /** From now on every connection ends with its answer: a caller that keeps it would hold up the end of the app. */
  end(): void {
    this.#isEnding = true
  }

  /** The handler, counted. */
  counted(handle: Handler): Handler {
    return async (inbound) => {
      const answering = handle(inbound)
      this.#all.add(answering)
      try {
        const outbound = await answering
        this.#judge(outbound.status)
        return this.#isEnding ? { ...outbound, headers: { ...outbound.headers, connection: 'close' } } : outbound
      } catch (error) {
        this.#lastFailed = true
        throw error
      } finally {
        this.#all.delete(answering)
      }
    }
  }

  /** What a stranger sends wrongly (400 to 499) says nothing of whether requests can be taken. */
  #judge(status: number): void {
    if (status < 400 || status >= 500) this.#lastFailed = status >= 500
  }

  get count(): number {
    return this.#all.size
  }

  /** Whether the last request could not be taken: an inbox that cannot write shows here. */
  get lastFailed(): boolean {
    return this.#lastFailed
  }

  /** Resolves when nothing is left. */
  async settled(): Promise<void> {
    while (this.#all.size > 0) await Promise.allSettled(this.#all)
  }
}
