import { FingerprintSet } from './fingerprint-set.ts'

/** Fingerprints by the second of their timestamp, within the window. */
export class NonceWindow {
  readonly #seconds = new Map<number, FingerprintSet>()
  readonly #reach: number
  readonly #limit: number
  #oldest = Number.NEGATIVE_INFINITY
  #size = 0

  /** @param windowSeconds Either side of the present. @param limit The most fingerprints to store. */
  constructor(windowSeconds: number, limit: number) {
    this.#reach = 2 * windowSeconds + 1
    this.#limit = limit
  }

  /** Forgets whole seconds. None lies beyond the window, so a long pause costs no more than a short one. */
  forgetBefore(second: number): void {
    const end = Math.min(second, this.#oldest + this.#reach)
    for (let passed = this.#oldest; passed < end; passed++) {
      this.#size -= this.#seconds.get(passed)?.size ?? 0
      this.#seconds.delete(passed)
    }
    this.#oldest = Math.max(this.#oldest, second)
  }

  /** `true` if the fingerprint is new in this second, the second is not forgotten and the window is not full. */
  add(second: number, fingerprint: number): boolean {
    if (second < this.#oldest || this.#size >= this.#limit) return false
    const isNew = this.#setOf(second).add(fingerprint)
    if (isNew) this.#size++
    return isNew
  }

  #setOf(second: number): FingerprintSet {
    const known = this.#seconds.get(second)
    if (known !== undefined) return known
    const set = new FingerprintSet()
    this.#seconds.set(second, set)
    return set
  }
}
