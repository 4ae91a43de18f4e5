import { rebillOrderId as orderIdOf } from '@tallystick/client'
import { kind } from '@tallystick/core'

/** The period of a subscription that a rebill is for. */
export interface RebillKey {
  /** What the merchant calls the subscription. */
  readonly profile: string
  /** A year, month, day, quarter or week, such as `2026-11` or `2026-W47`; or a number. */
  readonly period: string
}

/** What the merchant calls a payment: "invoice 77". For a rebill, the subscription and its period. */
export type BusinessKey = string | RebillKey

const MOST_CHARACTERS = 512

/**
 * As one text. Two rebills of one period have the same.
 *
 * @throws TypeError for anything else: what comes without types, a number of an invoice, must not be read as a rebill
 */
export function keyText(key: BusinessKey): string {
  if (!isRebill(key)) return filled('A business key', key)
  return filled('A business key', `rebill ${namesOf(key).map(encodeURIComponent).join(' ')}`)
}

function isRebill(key: BusinessKey): key is RebillKey {
  return typeof key === 'object' && key !== null
}

function namesOf(key: RebillKey): readonly [profile: string, period: string] {
  const { profile, period } = Object(key) as RebillKey
  return [filled("A rebill's profile", profile), filled("A rebill's period", period)]
}

function filled(what: string, text: unknown): string {
  const isFilled = typeof text === 'string' && text.trim() !== '' && text.length <= MOST_CHARACTERS
  // Half a character is another one in UTF-8, the same for all halves: two keys would be one.
  if (isFilled && text.isWellFormed()) return text
  throw new TypeError(
    `${what} is a text of 1 to ${MOST_CHARACTERS} whole characters, without lone surrogates; a key is a text, or the profile and period of a rebill`,
  )
}

/**
 * The client order id of a rebill, as the client derives it: so that one period cannot be charged under two names, not even by
 * two journals that know nothing of each other (docs/guides/unknown.md).
 *
 * @throws TypeError for a key that is none of a rebill, a period that is none (a month without its year), and an attempt that is
 *   none: all of these would have one id
 */
export function rebillOrderId(key: RebillKey, attempt: number): string {
  const { isRight, wanted } = kind.count
  if (!isRight(attempt)) throw new TypeError(`rebillOrderId: attempt must be ${wanted}`)
  return orderIdOf(...namesOf(key), attempt)
}
