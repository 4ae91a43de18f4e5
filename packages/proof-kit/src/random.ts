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

  /** At most so many of the items. */
  sample<Item>(items: readonly Item[], most: number): readonly Item[] {
    return items.length > most ? this.shuffle(items).slice(0, most) : items
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

/** Texts that careless parsers stumble over: inherited names, bad escapes, lone surrogates, odd white space. */
const NOISE = [
  ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf', '__defineGetter__'],
  ['%', '%4', '%zz', '%C0%AF', '%ED%A0%80', '%F4%90%80%80', '%00', '%E2%82%AC', '+', '&', '&&', '=', '=='],
  ['\u0000', '\ud800', '\udfff', '\u{1f600}', '\ufeff', '\u2028', '\u00a0', 'é', '\r\n', '\n', '\n&', ' ', '\t'],
  ['{', '}', '[', ']', '"', '\\', ':', ',', 'null', 'true', '1e999', '-0', '0.1', '９', '0', '9007199254740993'],
].flat()

/** Pieces of what a parser reads, cut, repeated and mixed with noise. */
export function spoiledText(pieces: readonly string[], random: Random): string {
  return random.some(12, () => spoil(random.pick(random.below(4) === 0 ? NOISE : pieces), random)).join('')
}

/** Mostly gives the text itself. */
export function spoil(text: string, random: Random): string {
  const shape = random.below(24)
  if (shape === 0) return text.slice(0, random.below(text.length + 1))
  if (shape === 1) return text.repeat(random.below(4))
  if (shape === 2) return String.fromCharCode(random.below(0x10000))
  if (shape === 3) return random.pick(NOISE)
  return shape === 4 ? ` ${text}\n` : text
}
