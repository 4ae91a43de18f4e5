import type { Handler } from '@tallystick/client'

/** The requests that an instance is answering, so that a shutdown can wait for them even if the callers have hung up. */
export class UnderWay {
  readonly #all = new Set<Promise<unknown>>()
  #lastFailed = false
  #isEnding = false

  /** From now on every response closes its connection: a caller that kept it open would delay the end of the app. */
  end(): void {
    this.#isEnding = true
  }

  /** Wraps a handler, so that its requests are counted. */
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

  /** A wrong request of a stranger (400 to 499) does not show whether the instance can handle requests. */
  #judge(status: number): void {
    if (status < 400 || status >= 500) this.#lastFailed = status >= 500
  }

  get count(): number {
    return this.#all.size
  }

  /** Whether the last request failed: an inbox that cannot write shows here. */
  get lastFailed(): boolean {
    return this.#lastFailed
  }

  /** Resolves when nothing is left. */
  async settled(): Promise<void> {
    while (this.#all.size > 0) await Promise.allSettled(this.#all)
  }
}
