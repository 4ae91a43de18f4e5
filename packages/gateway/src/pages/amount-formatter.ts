/** Writes an amount in major units as the language does, with all its decimals: `34.00` and `EUR` as `€34.00`. */
export type FormatAmount = (amount: string, currency: string, languageTag: string) => string

/** Keeps what it needs for each currency: making it takes longer than the rest of a page. */
export function amountFormatter(): FormatAmount {
  const known = new Map<string, Intl.NumberFormat>()
  return (amount, currency, languageTag) => {
    const decimals = amount.split('.')[1]?.length ?? 0
    const key = `${languageTag} ${currency} ${decimals}`
    const format = known.get(key) ?? newFormat(languageTag, currency, decimals)
    known.set(key, format)
    return isDecimal(amount) ? format.format(amount) : `${amount} ${currency}`
  }
}

function newFormat(languageTag: string, currency: string, decimals: number): Intl.NumberFormat {
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals }
  return new Intl.NumberFormat(languageTag, { style: 'currency', currency, ...digits })
}

function isDecimal(text: string): text is `${number}` {
  return /^\d+(?:\.\d+)?$/.test(text)
}
