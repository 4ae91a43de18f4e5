import { passesLuhn } from './luhn.ts'
import { Masked } from './masked.ts'

/** A primary account number: 12 to 19 digits with a right Luhn check digit. Prints as first six and last four. */
export class Pan extends Masked {
  readonly #digits: string

  /** @throws RangeError when the text is no card number. The message never holds the text. */
  constructor(digits: string) {
    super()
    if (!Pan.isPan(digits)) {
      throw new RangeError('A card number is 12 to 19 digits, without spaces, that pass the Luhn check')
    }
    this.#digits = digits
  }

  static isPan(text: string): boolean {
    return text.length >= 12 && text.length <= 19 && passesLuhn(text)
  }

  /** The first six digits, which name the issuer. */
  get bin(): string {
    return this.#digits.slice(0, 6)
  }

  get lastFourDigits(): string {
    return this.#digits.slice(-4)
  }

  /** First six and last four digits with asterisks between: what PCI DSS lets a system show. */
  get masked(): string {
    return this.bin + '*'.repeat(this.#digits.length - 10) + this.lastFourDigits
  }

  /** All digits. Only the encoder and a card vault need them. */
  reveal(): string {
    return this.#digits
  }
}
