import { html, type SafeHtml } from '@remix-run/html-template'
import { memoize } from '../runtime/tasks.ts'
import { de } from './de.ts'
import { en, type Texts } from './en.ts'

export interface Language {
  /** The language of a BCP 47 tag, without region or script, for the attribute `lang` and for numbers. */
  readonly tag: string
  readonly texts: Texts
}

/** The first is for everyone whose own language is not here. */
export const LANGUAGES: readonly [Language, ...Language[]] = [
  { tag: 'en', texts: en },
  { tag: 'de', texts: de },
]

/**
 * The first wanted language that is available. Each wish is a tag such as `de`, `de-DE` or `DE`, or a header Accept-Language,
 * whose order is taken as the order of preference (RFC 9110 section 12.5.4).
 */
export function chooseLanguage(...wishes: readonly (string | undefined)[]): Language {
  for (const wish of wishes) {
    for (const tag of wish?.slice(0, 200).toLowerCase().split(',') ?? []) {
      const primary = /^[a-z]+/.exec(tag.trim())?.[0]
      const found = LANGUAGES.find((language) => language.tag === primary)
      if (found !== undefined) return found
    }
  }
  return LANGUAGES[0]
}

/**
 * The same HTML with numeric references for the characters beyond ASCII, which browsers read as those characters. V8 stores
 * such a page in one byte per character, while one character beyond Latin-1 makes it two bytes for all of them; and Node sends
 * it as it is, while other texts have to be encoded as UTF-8. For text and attributes; style and script know no references.
 *
 * @see {@link https://html.spec.whatwg.org/multipage/syntax.html#character-references}
 */
export function inAscii(written: SafeHtml): SafeHtml {
  const text = String(written)
  if (!BEYOND.test(text)) return written
  // The result of a replacement in V8 is as wide as the original text.
  return html.raw`${inOnePiece(text.replaceAll(EVERY_BEYOND, reference))}`
}

const BEYOND = /[\u0080-\uffff]/
const EVERY_BEYOND = /\P{ASCII}/gu

function reference(character: string): string {
  return `&#${character.codePointAt(0)};`
}

/** The text as one flat string. V8 keeps a joined or cut text as its parts, and puts them together at every use. */
export function inOnePiece(text: string): string {
  return Buffer.from(text).toString()
}

/** Writes an amount in major units as the language does, with all its decimals: `34.00` and `EUR` as `€34.00`. */
type FormatAmount = (amount: string, currency: string, languageTag: string) => SafeHtml

/** Caches the formatter of each currency, and recent amounts: making either takes longer than the rest of a page. */
export function amountFormatter(): FormatAmount {
  const known = new Map<string, (amount: string) => SafeHtml>()
  return (amount, currency, languageTag) => {
    const key = `${languageTag} ${currency}`
    const format = known.get(key) ?? formatterOf(languageTag, currency)
    known.set(key, format)
    return format(amount)
  }
}

function formatterOf(languageTag: string, currency: string): (amount: string) => SafeHtml {
  const withDecimals = memoize((decimals) => {
    const digits = { minimumFractionDigits: Number(decimals), maximumFractionDigits: Number(decimals) }
    return new Intl.NumberFormat(languageTag, { style: 'currency', currency, ...digits })
  })
  return memoize((amount) => {
    const decimals = amount.split('.')[1]?.length ?? 0
    const text = isDecimal(amount) ? withDecimals(String(decimals)).format(amount) : `${amount} ${currency}`
    return inAscii(html`${text}`)
  })
}

function isDecimal(text: string): text is `${number}` {
  return /^\d+(?:\.\d+)?$/.test(text)
}
