/** A seeded source of choices (mulberry32): the same seed makes the same inputs. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed
  }

  /** A whole number from 0 to below `limit`. */
  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit
  }

  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.below(items.length)]
    if (item === undefined) throw new Error('nothing to pick from')
    return item
  }

  /** Up to `most` results of `make`. */
  some<Item>(most: number, make: () => Item): Item[] {
    return Array.from({ length: this.below(most + 1) }, make)
  }

  /** A text of this many characters of an alphabet. */
  text(length: number, alphabet: string): string {
    const characters = Array.from(alphabet)
    return Array.from({ length }, () => this.pick(characters)).join('')
  }

  digits(length: number): string {
    return this.text(1, '123456789') + this.text(length - 1, '0123456789')
  }

  shuffle<Item>(items: readonly Item[]): Item[] {
    const shuffled = [...items]
    for (let at = shuffled.length - 1; at > 0; at--) {
      const other = this.below(at + 1)
      ;[shuffled[at], shuffled[other]] = [shuffled[other] as Item, shuffled[at] as Item]
    }
    return shuffled
  }
}
