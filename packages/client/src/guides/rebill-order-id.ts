import { hash } from 'node:crypto'

/** A year, a quarter, a week, a month, a day, or a number. */
const PERIOD = /^(?:\d{1,10}|\d{4}-(?:Q[1-4]|W?\d{2}|\d{2}-\d{2}))$/

/**
 * The client order id of a charge of a stored card for one period, and of further attempts at it. The same agreement and period
 * give the same id, here and in the journal, so that no period is charged under two ids. It begins and ends with a letter.
 *
 * @throws TypeError if the period is invalid, such as a month without its year
 */
export function rebillOrderId(agreement: string, period: string, attempt = 1): string {
  if (typeof agreement !== 'string' || agreement.trim() !== agreement || agreement === '') {
    throw new TypeError('agreement must be a text without white space around it')
  }
  if (typeof period !== 'string' || !PERIOD.test(period)) {
    throw new TypeError('period must be a year, month, day, quarter or week such as 2026-11 or 2026-W47, or a number')
  }
  return `r${hash('sha256', JSON.stringify([agreement, period, attempt]), 'hex').slice(0, 32)}z`
}
