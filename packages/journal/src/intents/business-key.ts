import { rebillOrderId as orderIdOf } from '@tallystick/client'
import { validator } from '@tallystick/core/internal'

/** The period of a subscription: for its rebill, and for whatever else pays for it, such as a hosted form after a decline. */
export interface RebillKey {
  /** What the merchant calls the subscription. */
  readonly profile: string
  /** A year, month, day, quarter or week, such as `2026-11` or `2026-W47`; or a number without zeros before it. */
  readonly period: string
}

/** What the merchant calls a payment: "invoice 77". For the period of a subscription, both names. */
export type BusinessKey = string | RebillKey

const MOST_CHARACTERS = 512

/**
 * The key as one text, the same for all payments of one period.
 *
 * @throws TypeError for anything else: an invoice number from untyped code, for example, must not be read as a rebill
 */
export function keyText(key: BusinessKey): string {
  if (isRebill(key)) return filled('A business key', rebillText(key))
  if (typeof key === 'string') return filled('A business key', key)
  throw new TypeError(
    "A business key must be your own name for the payment, such as 'invoice 77', as a text; or the profile and period of a rebill",
  )
}

function rebillText(key: RebillKey): string {
  return `${REBILL}${namesOf(key).map(encodeURIComponent).join(' ')}`
}

/** What the text of a rebill's key begins with. */
const REBILL = 'rebill '

/**
 * The subscription and its period again, from the text that intents and outcomes have as their `businessKey`. `undefined`: it is
 * the key of something else.
 *
 *     const { profile, period } = readRebillKey(outcome.businessKey) ?? {}
 */
export function readRebillKey(businessKey: string): RebillKey | undefined {
  const [profile, period] = businessKey.slice(REBILL.length).split(' ').map(decoded)
  if (!isFilled(profile) || !isFilled(period)) return undefined
  const key = { profile, period }
  return rebillText(key) === businessKey ? key : undefined
}

/** `undefined`: nothing that `encodeURIComponent` wrote. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

function isRebill(key: BusinessKey): key is RebillKey {
  return typeof key === 'object' && key !== null
}

function namesOf(key: RebillKey): readonly [profile: string, period: string] {
  const { profile, period } = Object(key) as RebillKey
  return [filled("A rebill's profile", profile), filled("A rebill's period", period)]
}

function filled(what: string, text: unknown): string {
  if (isFilled(text)) return text
  throw new TypeError(`${what} must be a text of 1 to ${MOST_CHARACTERS} whole characters, without lone surrogates`)
}

/** Not with a lone surrogate: UTF-8 replaces every one with the same character, and two keys could become one. */
function isFilled(text: unknown): text is string {
  return typeof text === 'string' && text.trim() !== '' && text.length <= MOST_CHARACTERS && text.isWellFormed()
}

/**
 * The client order id of a payment for a period, as the client derives it. So one period cannot be charged under two names, not
 * even by two journals that know nothing of each other (docs/guides/unknown.md).
 *
 * @throws TypeError for a key that is not of a rebill, a wrong period (a month without its year) or a wrong attempt: all of these
 *   would have one id
 */
export function rebillOrderId(key: RebillKey, attempt: number): string {
  const { isRight, wanted } = validator.count
  if (!isRight(attempt)) throw new TypeError(`rebillOrderId: attempt must be ${wanted}`)
  return orderIdOf(...namesOf(key), attempt)
}
