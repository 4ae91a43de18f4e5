import { Masked } from './masked.ts'

/** Whether a text consists of decimal digits, the last of which is their Luhn check digit (ISO/IEC 7812-1 annex B). */
export function passesLuhn(text: string): boolean {
  let sum = 0
  let isDoubled = false
  for (let at = text.length - 1; at >= 0; at--) {
    const digit = text.charCodeAt(at) - 48
    if (digit < 0 || digit > 9) return false
    const weighted = isDoubled ? digit * 2 : digit
    sum += weighted > 9 ? weighted - 9 : weighted
    isDoubled = !isDoubled
  }
  return sum % 10 === 0
}

/** Card brands by the ranges of the first six digits (ISO/IEC 7812 issuer ranges as the schemes publish them). */
export const CARD_BRANDS: ReadonlyArray<readonly [brand: string, low: number, high: number]> = [
  ['VISA', 400000, 499999],
  ['MASTERCARD', 510000, 559999],
  ['MASTERCARD', 222100, 272099],
  ['MIR', 220000, 220499],
  ['AMEX', 340000, 349999],
  ['AMEX', 370000, 379999],
  ['JCB', 352800, 358999],
  ['UNIONPAY', 620000, 629999],
  ['UNIONPAY', 810000, 817199],
  ['MAESTRO', 500000, 509999],
  ['MAESTRO', 560000, 589999],
  ['MAESTRO', 639000, 639099],
  ['MAESTRO', 670000, 679999],
]

/** The brand as `card-type` spells it (`VISA`, `MASTERCARD`), or `UNKNOWN`. `bin` is the first six digits or more of the number. */
export function cardBrand(bin: string): string {
  const prefix = Number.parseInt(bin.slice(0, 6), 10)
  return CARD_BRANDS.find(([, low, high]) => prefix >= low && prefix <= high)?.[0] ?? 'UNKNOWN'
}

/**
 * Ranges of schemes that issue numbers without a Luhn digit: UnionPay, and LankaPay within JCB's range. As data, so that the forms'
 * script reads the same.
 */
export const WITHOUT_CHECK_DIGIT: ReadonlyArray<readonly [low: number, high: number]> = [
  [357111, 357111],
  [620000, 629999],
  [810000, 817199],
]

/** Such numbers have 16 to 19 digits; ids with fewer begin alike. */
const FEWEST_WITHOUT_CHECK_DIGIT = 16

/** Whether digits are a card number by their check digit, or of a range that has none. */
export function isCardByDigits(digits: string): boolean {
  return passesLuhn(digits) || (digits.length >= FEWEST_WITHOUT_CHECK_DIGIT && isWithoutCheckDigit(digits))
}

function isWithoutCheckDigit(digits: string): boolean {
  const prefix = Number.parseInt(digits.slice(0, 6), 10)
  return /^\d+$/.test(digits) && WITHOUT_CHECK_DIGIT.some(([low, high]) => prefix >= low && prefix <= high)
}

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
