import { percentEncode } from '../oauth/percent-encode.ts'

/** Ways to encode that are taken for RFC 3986's. */

type Encoding = (text: string) => string

/** JavaScript's own: `! ' ( ) *` stay as they are. */
export const encodeComponent: Encoding = (text) => encodeURIComponent(text)

/** Right except for `+` instead of `%20`. */
export const encodeWithPlus: Encoding = (text) => percentEncode(text).replaceAll('%20', '+')

/** As PHP's `urlencode` does it. */
export const encodeAsPhp: Encoding = (text) => encodeTilde(text).replaceAll('%20', '+')

/** As `URLSearchParams` and Java's `URLEncoder` do it. */
export const encodeAsForm: Encoding = (text) => new URLSearchParams([['', text]]).toString().slice(1)

/** As older libraries do it, which follow RFC 1738. */
export const encodeTilde: Encoding = (text) => percentEncode(text).replaceAll('~', '%7E')

/** As .NET's `HttpUtility.UrlEncode` writes its digits. */
export const encodeInLowerCase: Encoding = (text) =>
  percentEncode(text).replace(/%[0-9A-F]{2}/g, (escaped) => escaped.toLowerCase())

export const encodeTwice: Encoding = (text) => percentEncode(percentEncode(text))

export const encodeNothing: Encoding = (text) => text

/** What the usual functions make of a value that should stay as it is. None of them fails. */
export const VALUE_ENCODINGS = [percentEncode, encodeComponent, encodeAsForm, encodeInLowerCase].map(
  (encode): Encoding =>
    (text) =>
      encode(text.toWellFormed()),
)
