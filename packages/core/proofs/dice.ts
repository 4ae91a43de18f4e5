/** A seeded source of choices (xorshift32): the same seed, the same inputs. */
export class Dice {
  #state: number

  constructor(seed: number) {
    // Zero is the one state that xorshift never leaves.
    this.#state = (seed ^ 0x9e3779b9) | 0 || 1
  }

  /** A whole number from 0 to below `limit`. */
  below(limit: number): number {
    this.#state ^= this.#state << 13
    this.#state ^= this.#state >>> 17
    this.#state ^= this.#state << 5
    return (this.#state >>> 0) % limit
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
}
