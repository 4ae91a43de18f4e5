import type { JournalOutcome, PaymentOutcome } from '@tallystick/client'
import {
  catalogue,
  checkOptions,
  type FinalStatus,
  type Operation,
  type OperationKey,
  type Operations,
  type RequestInput,
  type Validator,
  type Validators,
  validator,
} from '@tallystick/core'

/** Operations that have an outcome: those that move money or store a card, one in each request. */
export type DecidedOperation = {
  [K in OperationKey]: Operations[K]['effect'] extends 'moves-money' | 'stores-card'
    ? 'clientOrderId' extends keyof RequestInput<K>
      ? K
      : never
    : never
}[OperationKey]

/** The final statuses, and `checked`, with which a journal reports a successful payout-check. */
export type OutcomeStatus = FinalStatus | 'checked'

/** Which outcomes a method is called with: those that match every option. An option that is left out matches everything. */
export interface OutcomeFilter {
  /** How it ended: `approved`, `declined`, `filtered` or `error`; with a journal also `checked`. Default all of them. */
  readonly status?: OutcomeStatus | readonly OutcomeStatus[]
  /**
   * The request that it is the outcome of, by the name of the client's method. Only with a journal, because the status does
   * not show it. For a notice: the request that opened the order. Default all of them.
   */
  readonly operation?: DecidedOperation | readonly DecidedOperation[]
  /**
   * The type that the status shows, in any case: `sale`, `preauth`, `capture`, `cancel`, `reversal`, `chargeback`,
   * `payout`, `transfer`, `account verification`, or what a gateway adds. A void or a return shows as a `cancel` or a
   * `reversal`. Default all of them.
   */
  readonly transactionType?: string | readonly string[]
  /**
   * `outcome` of a request, or `notice`: what happened to an order after its outcome, such as a chargeback. Without a
   * journal every change of an order is a notice, even if the shop asked for it. Default `outcome`.
   */
  readonly kind?: JournalOutcome['kind']
  /** The names of instances. Default all of them. */
  readonly instance?: string | readonly string[]
}

/** A filter as lists; `undefined` matches everything. */
export interface ReadFilter {
  readonly statuses: readonly string[] | undefined
  readonly operations: readonly string[] | undefined
  readonly transactionTypes: readonly string[] | undefined
  readonly kind: JournalOutcome['kind']
  readonly instances: readonly string[] | undefined
}

const TEXTS: Validator = {
  wanted: 'a text or a list of texts',
  isRight: (value) => [value].flat().every((one) => typeof one === 'string'),
}

const FILTER_KINDS: Validators<OutcomeFilter> = {
  status: TEXTS,
  operation: TEXTS,
  transactionType: TEXTS,
  kind: validator.text,
  instance: TEXTS,
}

/**
 * @param where the method, for the message
 * @throws TypeError for an unknown option, or a value that is no text. Whether the texts exist is checked when the app
 * starts
 */
export function readFilter(where: string, filter: OutcomeFilter): ReadFilter {
  checkOptions(where, filter, FILTER_KINDS)
  const { status, operation, transactionType, kind = 'outcome', instance } = filter
  return {
    statuses: listOf(status),
    operations: listOf(operation),
    transactionTypes: listOf(transactionType)?.map((type) => type.toLowerCase()),
    kind,
    instances: listOf(instance),
  }
}

/** Whether it is the outcome of a payment, or a notice of what happened to its order later. */
export function kindOf({ outcome }: OutcomeEvent): JournalOutcome['kind'] {
  return 'kind' in outcome ? outcome.kind : confirmed(outcome).kind
}

/** Whether the outcome passes the filter. */
export function passes(filter: ReadFilter, { instance, outcome }: OutcomeEvent): boolean {
  const { kind, status, operation, transactionType } = 'kind' in outcome ? outcome : confirmed(outcome)
  return (
    filter.kind === kind &&
    isAmong(filter.statuses, status) &&
    isAmong(filter.operations, operation) &&
    isAmong(filter.transactionTypes, transactionType?.toLowerCase()) &&
    isAmong(filter.instances, instance)
  )
}

/** As a journal reports it: a change of an order after its payment is a notice, with the status of the change. */
function confirmed({ status, change, reply: { transactionType } }: PaymentOutcome) {
  return change === undefined
    ? ({ kind: 'outcome', status, operation: undefined, transactionType } as const)
    : ({ kind: 'notice', ...change, operation: undefined } as const)
}

/** Whether an operation of this name has an outcome; `undefined` if there is no such operation. */
export function hasOutcome(operation: string): boolean | undefined {
  const found: Operation | undefined = Object.entries(catalogue).find(([key]) => key === operation)?.[1]
  if (found === undefined) return undefined
  const { effect, request } = found
  return (effect === 'moves-money' || effect === 'stores-card') && 'clientOrderId' in request.fields
}

function isAmong(list: readonly string[] | undefined, value: string | undefined): boolean {
  return list === undefined || (value !== undefined && list.includes(value))
}

function listOf(value: string | readonly string[] | undefined): readonly string[] | undefined {
  return typeof value === 'string' ? [value] : value
}

/** What an instance without a journal passes to a method with `@OnPaymentOutcome`, once a status check confirmed a callback. */
export interface ConfirmedOutcome {
  /** The name of the instance. */
  readonly instance: string
  /**
   * The same outcome may come again, so handling it twice must be harmless. Identify the payment by `orderId`, and a `change`
   * by `orderId`, its `transactionType`, its `status` and `reply.amount`.
   */
  readonly outcome: PaymentOutcome
}

/** What an instance with a journal passes to it. */
export interface JournaledOutcome<Transaction = unknown> {
  /** The name of the instance. */
  readonly instance: string
  /** The journal has compared it with the request. Amounts are in minor units. */
  readonly outcome: JournalOutcome
  /** A transaction of the journal's store. What is written in it takes effect exactly once, for all methods together. */
  readonly transaction: Transaction
}

/** For a method that listens to instances with and without a journal: `'transaction' in heard` distinguishes them. */
export type OutcomeEvent = ConfirmedOutcome | JournaledOutcome
