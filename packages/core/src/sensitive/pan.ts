import { isCardByDigits } from './card-brand.ts'
import { Masked } from './masked.ts'

/**
 * A primary account number: 12 to 19 digits with a right Luhn check digit, or 16 to 19 of a scheme that issues numbers without one.
 * Prints as first six and last four.
 */
export class Pan extends Masked {
  readonly #digits: string

  /**
   * @param options `checkDigit: false` for a number of another scheme without a Luhn digit
   * @throws RangeError when the text is no card number. The message never holds the text.
   */
  constructor(digits: string, { checkDigit = true }: { readonly checkDigit?: boolean } = {}) {
    super()
    if (!(checkDigit ? Pan.isPan(digits) : /^\d{12,19}$/.test(digits))) {
      throw new RangeError('A card number is 12 to 19 digits, without spaces, that pass the Luhn check')
    }
    this.#digits = digits
  }

  static isPan(text: string): boolean {
    return text.length >= 12 && text.length <= 19 && isCardByDigits(text)
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
