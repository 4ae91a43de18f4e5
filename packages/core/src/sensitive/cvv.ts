import { Masked } from './masked.ts'

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
