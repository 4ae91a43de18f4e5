import type { Clock, JournalOutcome, JournalStore, PaymentClient } from '@tallystick/client'
import { type Exponents, GATEWAY_CODES, type RejectedError } from '@tallystick/core'
import { type JournalListener, quietly } from './events.ts'
import { randomFraction, randomName, systemClock } from './rims/system.ts'

/** What the merchant does with an outcome. */
export interface HandlerInput<Transaction> {
  readonly outcome: JournalOutcome
  /**
   * What is written in it takes effect exactly once, together with the note that the handler ran. Effects outside of it
   * happen at least once: deduplicate them by `outcome.key`.
   */
  readonly transaction: Transaction
}

export type OutcomeHandler<Transaction> = (input: HandlerInput<Transaction>) => void | Promise<void>

export interface JournalOptions<Transaction> {
  /** Sends the operations and asks for their status. One journal is for one client with one endpoint or group. */
  readonly client: PaymentClient
  readonly store: JournalStore<Transaction>
  /**
   * Is told each outcome of an order, in order, and what happens to it later. It must not wait for the journal itself. When
   * it throws, nothing of its transaction remains, and it is called again later.
   */
  readonly handler?: OutcomeHandler<Transaction>
  readonly onEvent?: JournalListener
  /** Default the system's. */
  readonly clock?: Clock
  /** Until when an operation must be answered, in milliseconds. Default 70 000. */
  readonly deadlineMs?: number
  /** Decimals of amounts, as the client's profile has them. Default `always-2`. */
  readonly exponents?: Exponents
  /**
   * Whether the gateway answers the repeat of a card reference or of a recurring payment with the first result, as ours does.
   * Default `false`: a lost reply goes to REVIEW.
   */
  readonly repeatsGetFirstAnswer?: boolean
  /** Whether a refusal of the status says that there is no such order. Default: code 2, as our gateway has it. */
  readonly isNoSuchOrder?: (error: RejectedError) => boolean
  /** How many callbacks of unknown orders are kept at most. Default 10 000. */
  readonly strayLimit?: number
  /** How often the loop looks at what other processes have left, in milliseconds. Default 1000. */
  readonly pollMs?: number
  /** A number from 0 to 1, for jitter. */
  readonly fraction?: () => number
  /** Makes names that nobody else has: of intents and of this process. */
  readonly newName?: () => string
}

export interface JournalParts<Transaction> {
  readonly client: PaymentClient
  readonly store: JournalStore<Transaction>
  readonly handler: OutcomeHandler<Transaction>
  readonly tell: JournalListener
  readonly clock: Clock
  readonly deadlineMs: number
  readonly exponents: Exponents
  readonly repeatsGetFirstAnswer: boolean
  readonly isNoSuchOrder: (error: RejectedError) => boolean
  readonly strayLimit: number
  readonly pollMs: number
  readonly fraction: () => number
  readonly newName: () => string
  /** This process, for leases. */
  readonly owner: string
}

const OPTIONS: readonly string[] = [
  'client',
  'store',
  'handler',
  'onEvent',
  'clock',
  'deadlineMs',
  'exponents',
  'repeatsGetFirstAnswer',
  'isNoSuchOrder',
  'strayLimit',
  'pollMs',
  'fraction',
  'newName',
] satisfies (keyof JournalOptions<unknown>)[]

/** @throws TypeError for a wrong option */
export function readOptions<Transaction>(options: JournalOptions<Transaction>): JournalParts<Transaction> {
  const unknown = Object.keys(options).find((name) => !OPTIONS.includes(name))
  if (unknown !== undefined) throw new TypeError(`createJournal has no option ${unknown}; it has ${OPTIONS.join(', ')}`)
  const { client, store, handler = () => {}, onEvent = () => {}, newName = randomName } = options
  return {
    client,
    store,
    handler,
    tell: quietly(onEvent),
    clock: options.clock ?? systemClock,
    deadlineMs: positive('deadlineMs', options.deadlineMs ?? 70_000),
    exponents: options.exponents ?? 'always-2',
    repeatsGetFirstAnswer: options.repeatsGetFirstAnswer ?? false,
    isNoSuchOrder: options.isNoSuchOrder ?? isNoSuchOrder,
    strayLimit: positive('strayLimit', options.strayLimit ?? 10_000),
    pollMs: positive('pollMs', options.pollMs ?? 1000),
    fraction: options.fraction ?? randomFraction,
    newName,
    owner: newName(),
  }
}

/** Codes differ between gateways, and a wrong one would make an absence of what is there: only ours is known. */
function isNoSuchOrder({ errorCode }: RejectedError): boolean {
  return errorCode === GATEWAY_CODES.noSuchOrder
}

function positive(name: string, value: number): number {
  if (Number.isSafeInteger(value) && value > 0) return value
  throw new TypeError(`${name} must be a whole number above zero`)
}
