/**
 * A value that prints as its mask in every output channel: string conversion, JSON, Node's inspect (also with
 * `showHidden`), and, because subclasses keep the value in a `#private` field, spread and `structuredClone`.
 */
export abstract class Masked {
  /** What may be shown of the value. */
  abstract get masked(): string

  /** The value itself. Pass it to the one function that needs it, never to a log or an error. */
  abstract reveal(): string

  toString(): string {
    return this.masked
  }

  toJSON(): string {
    return this.masked
  }

  /** Node's own hook for `util.inspect`, named through the global registry so that core imports nothing of Node. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return this.masked
  }
}

/** A card verification value: 3 or 4 digits. Never stored, queued or logged; prints as asterisks. */
export class Cvv extends Masked {
  readonly #digits: string

  /** @throws RangeError when the text is not 3 or 4 digits. The message never holds the text. */
  constructor(digits: string) {
    super()
    if (!Cvv.isCvv(digits)) throw new RangeError('A CVV is 3 or 4 digits')
    this.#digits = digits
  }

  static isCvv(text: string): boolean {
    return /^\d{3,4}$/.test(text)
  }

  get masked(): string {
    return '***'
  }

  /** The digits. Only the encoder and an acquirer port need them. */
  reveal(): string {
    return this.#digits
  }
}

/**
 * The rows of a plural operation as comma-separated values. They may hold card numbers and CVVs, so they print as their number
 * of lines alone. `recurringRows` makes it from inputs.
 */
export class Payload extends Masked {
  readonly #text: string

  constructor(text: string) {
    super()
    this.#text = text
  }

  get masked(): string {
    return `[${this.#text.trimEnd().split('\n').length} lines]`
  }

  /** The rows themselves, with any card numbers in them. */
  reveal(): string {
    return this.#text
  }
}

/** A key or another text that must never be printed. `reveal()` is the one way to read it. */
export class Secret extends Masked {
  readonly #text: string

  /** @throws TypeError when the text is empty: an unset variable must not become an empty key. */
  constructor(text: string) {
    super()
    if (typeof text !== 'string' || text === '') {
      throw new TypeError('A secret must be a text that is not empty; check that its setting is present')
    }
    this.#text = text
  }

  get masked(): string {
    return '[secret]'
  }

  /** The text itself. Pass it to the one function that needs it, never to a log or an error. */
  reveal(): string {
    return this.#text
  }
}
