import { maskCardNumbers } from '@tallystick/core'
import { checkOptions, validator } from '@tallystick/core/internal'

/** On whose word the gateway does something that no merchant asked for. */
export interface Operator {
  /** The name of a person, or of a program that acts for one. */
  readonly who: string
  /** The reason, such as the acquirer's message. */
  readonly why: string
  /** Where the order came from, such as an address. Default `program`. */
  readonly from?: string | undefined
}

/**
 * What a person had the gateway do, or tried: it is written with what it changed, or alone, and never changed or removed afterwards.
 */
export interface OperatorRecord {
  /** In milliseconds since 1970. */
  readonly at: number
  readonly who: string
  readonly from: string
  readonly act: 'outcome' | 'resend' | 'chargeback' | 'rotate-keys' | 'sandbox'
  /** What it was done to: the id of an operation, an order or a key, or a path of the sandbox. */
  readonly subject: string
  readonly orderId: string | undefined
  /** How its subject stood before. */
  readonly before: string
  readonly after: string
  readonly why: string
}

/** Which records to return, the latest first. */
export interface RecordFilter {
  readonly orderId?: string | undefined
  readonly limit: number
}

const KINDS = { who: validator.required(validator.text), why: validator.required(validator.text), from: validator.text }

/** @throws TypeError if nobody is named */
export function requireOperator(name: string, by: Operator): void {
  checkOptions(name, by, KINDS)
  if (plain(by.who) === '') throw new TypeError(`${name}: who must name a person or a program`)
}

/** The longest text of a record. */
const MOST_CHARACTERS = 500

/** One line without a card number: it is shown in terminals and logs. PostgreSQL stores no zero byte and no half of a pair. */
function plain(text: string): string {
  return maskCardNumbers(text.toWellFormed().replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' '))
    .trim()
    .slice(0, MOST_CHARACTERS)
    .toWellFormed()
}

export function operatorRecord(
  deed: Omit<OperatorRecord, 'who' | 'why' | 'from'>,
  { who, why, from = 'program' }: Operator,
): OperatorRecord {
  requireOperator('by', { who, why, from })
  return { ...deed, who: plain(who), why: plain(why), from: plain(from) }
}
