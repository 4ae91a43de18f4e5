import { html, type SafeHtml } from '@remix-run/html-template'
import { remembering } from '../runtime/memoize.ts'
import { inAscii } from '../texts/in-ascii.ts'

/** Writes an amount in major units as the language does, with all its decimals: `34.00` and `EUR` as `€34.00`. */
export type FormatAmount = (amount: string, currency: string, languageTag: string) => SafeHtml

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
  const withDecimals = remembering((decimals) => {
    const digits = { minimumFractionDigits: Number(decimals), maximumFractionDigits: Number(decimals) }
    return new Intl.NumberFormat(languageTag, { style: 'currency', currency, ...digits })
  })
  return remembering((amount) => {
    const decimals = amount.split('.')[1]?.length ?? 0
    const text = isDecimal(amount) ? withDecimals(String(decimals)).format(amount) : `${amount} ${currency}`
    return inAscii(html`${text}`)
  })
}

function isDecimal(text: string): text is `${number}` {
  return /^\d+(?:\.\d+)?$/.test(text)
}
