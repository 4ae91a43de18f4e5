import { maskCardNumbers } from './mask-card-numbers.ts'

/** What is never shown, whatever it looks like. */
const NAMES = 'cvv2?|cvc2?|control|oauth_signature|(?:merchant[_-]?)?control[_-]?key|password|secret'

/** A quote as it is, as JSON inside of JSON has it, and as an address has it. */
const QUOTE = `(?:\\\\*["']|%(?:25)*2[27])`

/** A name behind no other letter; what is encoded before it ends in one that is none. */
const BEGIN = '(?:(?<![a-z])|(?<=%[0-9a-f]{2}))'

const SECRET = new RegExp(
  `(${BEGIN}(?:${NAMES})${QUOTE}?\\s*(?:[=:]|%(?:25)*3[ad])\\s*${QUOTE}?)(?:(?!%(?:25)*(?:2[267c]|0[ad]|20|3c|7d))[^"'&\\s<,}\\\\])+`,
  'gi',
)

/**
 * A text without the values that are secret by their names: `cvv2=`, `control=` and their like, in a form, in JSON, in a page or
 * an address that quotes the request.
 */
export function redactSecrets(text: string): string {
  return text.replace(SECRET, '$1***')
}

/** For words of the other side: card numbers masked, and what is secret by its name left out. */
export function redact(text: string): string {
  return maskCardNumbers(redactSecrets(text))
}
