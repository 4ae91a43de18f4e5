import { catalogue } from '@tallystick/core'
import type { Expiry } from '../../acquirer/handed-card.ts'

/** Month and year as people type them and browsers fill them in: `04/31`, `4 / 2031`, `0431`, `04-31`. */
const TYPED = /^(0?[1-9]|1[0-2])(?:\s*[/.-])?\s*((?:20)?\d{2})$/

/**
 * A month as the HTML standard has browsers fill in `cc-exp`: `2031-04`.
 *
 * @see {@link https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#attr-fe-autocomplete-cc-exp}
 */
const FILLED_IN = /^(20\d{2})-(\d{2})$/

const { expireMonth, expireYear } = catalogue.sale.request.fields

export function readExpiry(text: string): Expiry | undefined {
  const [, month, year] = TYPED.exec(text.trim().replace(FILLED_IN, '$2/$1')) ?? []
  const inTwoDigits = expireMonth.format.read(month)
  const inFourDigits = expireYear.format.read(year)
  if (inTwoDigits === undefined || inFourDigits === undefined) return undefined
  return { expireMonth: inTwoDigits, expireYear: inFourDigits }
}
