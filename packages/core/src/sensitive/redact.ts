import { maskCardNumbers } from './mask-card-numbers.ts'

const CVV = 'cv[vc]2?(?:[ _-]?(?:code|number))?'

/** The names whose values are never shown, whatever they look like. */
const NAMES = `${CVV}|control|oauth_signature|(?:merchant[_-]?)?control[_-]?key|password|secret`

/** A quote: plain (Python may mark it), as in JSON inside of JSON, escaped by its code, or as in an address. */
const QUOTE = `(?:[bu]?\\\\*["']|\\\\+(?:u00|x)2[27]|%(?:25)*2[27])`

/** A name with no other letter before it, except for the last one of an escape. */
const BEGIN = '(?:(?<![a-z])|(?<=%[0-9a-f]{2}))'

const SECRET = new RegExp(
  `(${BEGIN}(?:${NAMES})${QUOTE}?\\s*(?:=>?|:|%(?:25)*3[ad])\\s*(?:[[({]\\s*)*${QUOTE}?)(?:(?!%(?:25)*(?:2[267c]|0[ad]|20|3c|7d))[^"'&\\s<,}\\\\])+`,
  'gi',
)

/**
 * What dumps, pages and other forms put before a value: its type, its length, its cell or part; and the words of a sentence.
 * Other words may mean that the number is another one: `error 402`, `line 739`.
 */
const SAID_OF_VALUE =
  '[bu](?=["\'])|string(?:(?:\\(|%28)\\d{1,2}(?:\\)|%29))?|int|list|name|type|value|cdata|s(?::|%3a)\\d{1,2}(?::|%3a)|xsi:type|xsd|maxlength="\\d"|t[dh]|d[dt]|is|was|of|the|card|content-type: ?text/plain'

/** What may be between a name and its value: these words, and signs, plain or encoded. */
const BETWEEN = `(?:%(?:25){0,3}[0-9a-f]{2}|&#?[0-9a-z]{1,6};|u00[0-9a-f]{2}|\\\\(?:[nrt]|x[0-9a-f]{2})|${SAID_OF_VALUE}|[%&](?!#?[0-9a-f])|[^0-9a-z*%&]){1,30}`

/** The rest of a grouped card number after its first four digits: if these were removed, the rest would not be recognized. */
const REST_OF_CARD = '(?:(?:[ +-]|%20)\\d{4}){3}|(?:[ +-]|%20)\\d{6}(?:[ +-]|%20)\\d{4}'

/** Recognized by their own shapes, in any list and whatever separates them from their names. */
const CVV_BEHIND_ITS_NAME = new RegExp(`((?:${CVV})${BETWEEN})(?:\\d{3}|\\d{4}(?!${REST_OF_CARD}))(?!\\d)`, 'gi')
const CONTROL_BEHIND_ITS_NAME = new RegExp(`(control${BETWEEN})[0-9a-f]{40}(?![0-9a-f])`, 'gi')

/** What is written for a space: also in a form and in an address. */
const SPACE = '(?:[ +]|%(?:25)*20)'

/** A private key in PEM, to its end, or to that of the text if it was cut off. */
const PRIVATE_KEY = new RegExp(
  `-----BEGIN${SPACE}(?:[A-Z]+${SPACE}){0,3}PRIVATE${SPACE}KEY-----.*?(?:-----END[^-]{1,60}-----|$)`,
  'gs',
)

/**
 * A text without the values that are secret by their names: `cvv2=`, `control=` and the like, in a form, JSON, or a page or
 * address that quotes the request; and without private keys. A CVV and a control are found in other spellings as well, unless other words stand between
 * them and their names.
 */
export function redactSecrets(text: string): string {
  // These first: SECRET would take the signs that open a list for the value, and the first word of a key.
  const formless = text
    .replace(PRIVATE_KEY, '[private key]')
    .replace(CVV_BEHIND_ITS_NAME, '$1***')
    .replace(CONTROL_BEHIND_ITS_NAME, '$1***')
  return formless.replace(SECRET, '$1***')
}

/** For words of the other side: masks card numbers, and leaves out what is secret by its name. */
export function redact(text: string): string {
  return maskCardNumbers(redactSecrets(text))
}

/** What ids and words of the interface look like. */
export const ID = /^[\w.:-]{1,128}$/
const LONGEST_ID = 128

/** An id from the other side is stored, logged and quoted: if it does not look like one, it may quote the request. */
export function redactedId(text: string): string {
  return ID.test(text) ? text : redact(text).slice(0, LONGEST_ID)
}

/** The names of a card number in a request of any operation, and in words about it. */
const NAMES_CARD = /card(?:[-_+]|%(?:25)*20)?(?:number|no)\b|\bpan\b/i

/** A token may have signs before digits: one with `Cvv-123` in it quotes nothing. */
const IN_TOKEN = /(?<![-._~])[-._~]+(?=\d)/g

/** An address must keep working, and its tokens may look like card numbers: it is changed only if it quotes a request. */
export function redactedAddress(text: string): string {
  const plain = text.replace(IN_TOKEN, 'x')
  return redactSecrets(plain) === plain && !NAMES_CARD.test(text) ? text : redact(text)
}
