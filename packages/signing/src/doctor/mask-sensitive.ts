/** The value of a parameter that holds a card code or a card number, raw or as it stands in a base string, also inside of another. */
// Linear: a value fits wherever it ends, and what it has taken is not read again.
const NAMED = /((?:cvv2?|cvc2?|card[-_]?n(?:umber|o))(?:=|%(?:25)*3D))((?:[^&%]|%(?!26))*)/gi
/** Digits like those of a card number, with or without the separators that people type. */
// Linear: from a digit it goes twelve further at most before it fits for good.
const CARD_LIKE = /\d(?:(?:%(?:25)*20|[ +-])?\d){12,}/g
const DIGITS_ONLY = /^\d{13,19}$/
const FIRST = 6
const LAST = 4

/**
 * Masks what must not be shown of a signed text, without changing its length, so that an index into it stays true: every
 * secret, card codes, and digits like those of a card number but for the first six and last four. An order id of that
 * length is masked as well: the borders between joined terms cannot be seen.
 *
 * @see Safety part 6 (mask first 6 and last 4; the code is never shown)
 */
export function maskSensitive(text: string, secrets: readonly string[]): string {
  const withoutSecrets = secrets.reduce((masked, secret) => masked.replaceAll(secret, stars(secret.length)), text)
  return withoutSecrets
    .replace(NAMED, (_match, name: string, value: string) => name + maskValue(name, value))
    .replace(CARD_LIKE, maskMiddle)
}

function maskValue(name: string, value: string): string {
  return /cv/i.test(name) || !DIGITS_ONLY.test(value) ? stars(value.length) : maskMiddle(value)
}

function maskMiddle(digits: string): string {
  return digits.slice(0, FIRST) + stars(digits.length - FIRST - LAST) + digits.slice(-LAST)
}

function stars(length: number): string {
  return '*'.repeat(length)
}
