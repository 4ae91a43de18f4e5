import { catalogue, type Kind, kind, nearestName } from '@tallystick/core'

/** The format of requests: a currency that no request could have is a mistake here. */
const CURRENCY = catalogue.sale.request.fields.currency.format

export const CURRENCIES: Kind = {
  ...kind.listOf(kind.text),
  wanted: 'a list of ISO 4217 letters, such as [USD, EUR]',
}

/**
 * The currencies that an endpoint accepts. Three letters that are not a currency are most likely a typing error, and payments
 * in the intended currency would be refused.
 *
 * @throws TypeError that suggests what was meant
 */
export function readCurrencies(currencies: readonly string[] | undefined): ReadonlySet<string> | undefined {
  const wrong = currencies?.find((currency) => !isCurrency(currency))
  if (wrong !== undefined) throw new TypeError(`${wrong} is not a currency; ${adviceAbout(wrong)}`)
  if (currencies?.length === 0)
    throw new TypeError('is empty, so nothing could be paid; leave it out for every currency')
  return currencies === undefined ? undefined : new Set(currencies)
}

/** By the Unicode data of this Node, which also has currencies that are no longer in use. */
function isCurrency(code: string): boolean {
  if (CURRENCY.read(code) !== code) return false
  return new Intl.DisplayNames('en', { type: 'currency', fallback: 'none' }).of(code) !== undefined
}

function adviceAbout(unknown: string): string {
  const nearest = nearestName(unknown, Intl.supportedValuesOf('currency').filter(isCurrency))
  return nearest === undefined ? 'write the three letters of ISO 4217, such as USD' : `did you mean ${nearest}?`
}
