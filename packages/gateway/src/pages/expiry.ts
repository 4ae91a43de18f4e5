import { catalogue } from '@tallystick/core'

/** When a card expires, as the interface writes it. */
export interface Expiry {
  /** Two digits. */
  readonly expireMonth: string
  /** Four digits. */
  readonly expireYear: string
}

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

/** Somewhere on earth the last day of the month ends 12 hours after it does in UTC. */
const LAST_ZONE_MS = 12 * 3_600_000

/** Whether the month in which the card expires is over everywhere. */
export function isPast({ expireMonth: month, expireYear: year }: Expiry, at: number): boolean {
  return at >= Date.UTC(Number(year), Number(month)) + LAST_ZONE_MS
}
