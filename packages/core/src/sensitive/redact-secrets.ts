import { maskCardNumbers } from './mask-card-numbers.ts'

const CVV = 'cv[vc]2?(?:[ _-]?(?:code|number))?'

/** What is never shown, whatever it looks like. */
const NAMES = `${CVV}|control|oauth_signature|(?:merchant[_-]?)?control[_-]?key|password|secret`

/** A quote as it is (Python marks it), as JSON inside of JSON has it, escaped by its code, and as an address has it. */
const QUOTE = `(?:[bu]?\\\\*["']|\\\\+(?:u00|x)2[27]|%(?:25)*2[27])`

/** A name behind no other letter; what is encoded before it ends in one that is none. */
const BEGIN = '(?:(?<![a-z])|(?<=%[0-9a-f]{2}))'

const SECRET = new RegExp(
  `(${BEGIN}(?:${NAMES})${QUOTE}?\\s*(?:=>?|:|%(?:25)*3[ad])\\s*(?:[[({]\\s*)*${QUOTE}?)(?:(?!%(?:25)*(?:2[267c]|0[ad]|20|3c|7d))[^"'&\\s<,}\\\\])+`,
  'gi',
)

/**
 * What dumps, pages and other forms say of the value before it: its type, its length, the cell or the part that it stands in; and
 * what a sentence does. Other words may say that the number is another one: `error 402`, `line 739`.
 */
const SAID_OF_VALUE =
  '[bu](?=["\'])|string(?:(?:\\(|%28)\\d{1,2}(?:\\)|%29))?|int|list|name|type|value|cdata|s(?::|%3a)\\d{1,2}(?::|%3a)|xsi:type|xsd|maxlength="\\d"|t[dh]|d[dt]|is|was|of|the|card|content-type: ?text/plain'

/** What they have between a name and its value: that, and signs, as they are or encoded. */
const BETWEEN = `(?:%(?:25){0,3}[0-9a-f]{2}|&#?[0-9a-z]{1,6};|u00[0-9a-f]{2}|\\\\(?:[nrt]|x[0-9a-f]{2})|${SAID_OF_VALUE}|[%&](?!#?[0-9a-f])|[^0-9a-z*%&]){1,30}`

/** What goes on behind the first four digits of a card number in groups: without these no mask would know it. */
const REST_OF_CARD = '(?:(?:[ +-]|%20)\\d{4}){3}|(?:[ +-]|%20)\\d{6}(?:[ +-]|%20)\\d{4}'

/** Known by their own forms, whatever list they stand in and however they are parted from their names. */
const CVV_BEHIND_ITS_NAME = new RegExp(`((?:${CVV})${BETWEEN})(?:\\d{3}|\\d{4}(?!${REST_OF_CARD}))(?!\\d)`, 'gi')
const CONTROL_BEHIND_ITS_NAME = new RegExp(`(control${BETWEEN})[0-9a-f]{40}(?![0-9a-f])`, 'gi')

/**
 * A text without the values that are secret by their names: `cvv2=`, `control=` and their like, in a form, in JSON, in a page or
 * an address that quotes the request. A CVV and a control are found in other spellings as well, unless other words stand between
 * them and their names.
 */
export function redactSecrets(text: string): string {
  // These first: of a list, the signs that open it would be taken for the value.
  const formless = text.replace(CVV_BEHIND_ITS_NAME, '$1***').replace(CONTROL_BEHIND_ITS_NAME, '$1***')
  return formless.replace(SECRET, '$1***')
}

/** For words of the other side: card numbers masked, and what is secret by its name left out. */
export function redact(text: string): string {
  return maskCardNumbers(redactSecrets(text))
}
