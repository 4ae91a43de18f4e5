import { catalogue, type Kind, kind, nearestName } from '@tallystick/core'

/** As requests have it: one that none could have is a mistake here. */
const CURRENCY = catalogue.sale.request.fields.currency.format

export const CURRENCIES: Kind = {
  ...kind.listOf(kind.text),
  wanted: 'a list of the letters of ISO 4217, as [USD, EUR]',
}

/**
 * The currencies that an endpoint takes. Three letters that are no currency are most likely a slip, after which whoever pays in the
 * one that was meant would be refused.
 *
 * @throws TypeError that says what may have been meant
 */
export function readCurrencies(currencies: readonly string[] | undefined): ReadonlySet<string> | undefined {
  const wrong = currencies?.find((currency) => !isCurrency(currency))
  if (wrong !== undefined) throw new TypeError(`${wrong} is no currency; ${adviceAbout(wrong)}`)
  if (currencies?.length === 0)
    throw new TypeError('is empty, so nothing could be paid; leave it out for every currency')
  return currencies === undefined ? undefined : new Set(currencies)
}

/** As the Unicode data of this Node know it: more of them than are in use today. */
function isCurrency(code: string): boolean {
  if (CURRENCY.read(code) !== code) return false
  return new Intl.DisplayNames('en', { type: 'currency', fallback: 'none' }).of(code) !== undefined
}

function adviceAbout(unknown: string): string {
  const nearest = nearestName(unknown, Intl.supportedValuesOf('currency').filter(isCurrency))
  return nearest === undefined ? 'write the three letters of ISO 4217, as USD' : `did you mean ${nearest}?`
}
