import { passesLuhn } from './luhn.ts'

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
