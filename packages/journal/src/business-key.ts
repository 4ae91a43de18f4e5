import { createHash } from 'node:crypto'

/** The period of a subscription that a rebill is for. */
export interface RebillKey {
  /** What the merchant calls the subscription. */
  readonly profile: string
  /** Such as `2026-11`. */
  readonly period: string
}

/** What the merchant calls a payment: "invoice 77". Of a rebill, the subscription and its period. */
export type BusinessKey = string | RebillKey

/** As one text. Two rebills of one period have the same. */
export function keyText(key: BusinessKey): string {
  const text =
    typeof key === 'string' ? key : `rebill ${encodeURIComponent(key.profile)} ${encodeURIComponent(key.period)}`
  if (text.trim() === '' || text.length > 512) throw new TypeError('A business key is a text of 1 to 512 characters')
  return text
}

/**
 * The client order id of a rebill. Derived, so that one period cannot be charged under two names, not even by two journals
 * that know nothing of each other (SAFETY.md part 1). It begins and ends with a letter, as every id that we make.
 */
export function rebillOrderId({ profile, period }: RebillKey, attempt: number): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([profile, period, attempt]))
    .digest('hex')
  return `r${digest.slice(0, 32)}z`
}
