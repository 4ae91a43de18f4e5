const inspect: unique symbol = Symbol.for('nodejs.util.inspect.custom')

/**
 * What all keys of this package have in common: whichever way one is printed, its kind comes out and its material does
 * not. The material sits in `#private` fields, which `structuredClone`, `JSON.stringify`, a debugger's `showHidden` and
 * object spread do not reach either.
 */
export abstract class MaskedKey {
  readonly #kind: string

  constructor(kind: string) {
    this.#kind = kind
  }

  /** The kind of the key and the word `masked`, for logs. */
  toString(): string {
    return `${this.#kind} [masked]`
  }

  /** The same text as {@link toString}, so that a key inside a logged object stays masked. */
  toJSON(): string {
    return this.toString()
  }

  /** What `console.log` and `util.inspect` print. */
  [inspect](): string {
    return this.toString()
  }
}
