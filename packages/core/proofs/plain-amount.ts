/** Amounts read a character at a time, without a pattern, a number or a bigint: what the fuzzer holds `money` against. */

const isDigit = (char: string) => char >= '0' && char <= '9' && char.length === 1

/** Digits, or `undefined` when the text is no amount with at most `exponent` decimals. */
export function plainMinorUnits(amount: string, exponent: number): string | undefined {
  const characters = amount.split('')
  const point = characters.indexOf('.')
  const whole = point < 0 ? characters : characters.slice(0, point)
  const fraction = point < 0 ? [] : characters.slice(point + 1)
  if (point >= 0 && fraction.length === 0) return undefined
  if (whole.length === 0 || (whole.length > 1 && whole[0] === '0')) return undefined
  if (![...whole, ...fraction].every(isDigit) || fraction.length > exponent) return undefined
  while (fraction.length < exponent) fraction.push('0')
  return withoutZeros([...whole, ...fraction]).join('')
}

/** A decimal text with exactly `exponent` decimals, or `undefined` when the text is not digits. */
export function plainMajorUnits(minorUnits: string, exponent: number): string | undefined {
  const characters = minorUnits.split('')
  if (characters.length === 0 || !characters.every(isDigit)) return undefined
  const digits = withoutZeros(characters)
  while (digits.length <= exponent) digits.unshift('0')
  if (exponent > 0) digits.splice(digits.length - exponent, 0, '.')
  return digits.join('')
}

function withoutZeros(digits: readonly string[]): string[] {
  const first = digits.findIndex((digit) => digit !== '0')
  return first < 0 ? ['0'] : digits.slice(first)
}
