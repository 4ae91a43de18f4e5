import type { JournalOutcome, PaymentOutcome } from '@tallystick/client'
import {
  catalogue,
  checkOptions,
  type FinalStatus,
  type Kind,
  type Kinds,
  kind,
  type Operation,
  type OperationKey,
  type Operations,
} from '@tallystick/core'
import type { HeardOutcome } from './heard-outcome.ts'

/** Operations that have an outcome: those that move money or store a card. */
export type DecidedOperation = {
  [K in OperationKey]: Operations[K]['effect'] extends 'moves-money' | 'stores-card' ? K : never
}[OperationKey]

/** The final statuses, and `checked`: how a journal calls a payout-check that went well. */
export type OutcomeStatus = FinalStatus | 'checked'

/** Which outcomes a method hears: those that pass all that is named. What is left out is not looked at. */
export interface OutcomeFilter {
  /** How it ended: `approved`, `declined`, `filtered`, `error`; with a journal `checked`, too. Default all of them. */
  readonly status?: OutcomeStatus | readonly OutcomeStatus[]
  /**
   * The request that it is the outcome of, by the name of the client's method. With a journal alone: the status does
   * not tell. Of a notice, the request that opened the order. Default all of them.
   */
  readonly operation?: DecidedOperation | readonly DecidedOperation[]
  /**
   * What the status shows, in capitals or not: `sale`, `preauth`, `capture`, `cancel`, `reversal`, `chargeback`,
   * `payout`, `transfer`, `account verification`, or what a gateway adds. A void or a return shows as a `cancel` or a
   * `reversal`. Default all of them.
   */
  readonly transactionType?: string | readonly string[]
  /**
   * `outcome` of what was sent, or `notice`: what happened to an order after its outcome, a chargeback for one. Without
   * a journal every change of an order is a notice, also one that was asked for. Default `outcome`.
   */
  readonly kind?: JournalOutcome['kind']
  /** The names of instances. Default all of them. */
  readonly instance?: string | readonly string[]
}

/** A filter as it is looked at: lists, or `undefined` for whatever there is. */
export interface ReadFilter {
  readonly statuses: readonly string[] | undefined
  readonly operations: readonly string[] | undefined
  readonly transactionTypes: readonly string[] | undefined
  readonly kind: JournalOutcome['kind']
  readonly instances: readonly string[] | undefined
}

const TEXTS: Kind = {
  wanted: 'a text or a list of texts',
  isRight: (value) => [value].flat().every((one) => typeof one === 'string'),
}

const FILTER_KINDS: Kinds<OutcomeFilter> = {
  status: TEXTS,
  operation: TEXTS,
  transactionType: TEXTS,
  kind: kind.text,
  instance: TEXTS,
}

/**
 * @param where the method, for the message
 * @throws TypeError for a name that is no filter's, or a value that is no text. Which texts there are is looked at at
 * start
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

/** Whether the outcome is one of those that the filter lets through. */
export function passes(filter: ReadFilter, { instance, outcome }: HeardOutcome): boolean {
  const { kind, status, operation, transactionType } = 'kind' in outcome ? outcome : confirmed(outcome)
  return (
    filter.kind === kind &&
    isAmong(filter.statuses, status) &&
    isAmong(filter.operations, operation) &&
    isAmong(filter.transactionTypes, transactionType?.toLowerCase()) &&
    isAmong(filter.instances, instance)
  )
}

/** As a journal tells it: what was done to an order after its payment is a notice, with the status of the change. */
function confirmed({ status, change, reply: { transactionType } }: PaymentOutcome) {
  return change === undefined
    ? ({ kind: 'outcome', status, operation: undefined, transactionType } as const)
    : ({ kind: 'notice', ...change, operation: undefined } as const)
}

/** Whether an operation of this name has an outcome; `undefined` where there is no such operation. */
export function hasOutcome(operation: string): boolean | undefined {
  const found: Operation | undefined = Object.entries(catalogue).find(([key]) => key === operation)?.[1]
  return found === undefined ? undefined : found.effect === 'moves-money' || found.effect === 'stores-card'
}

function isAmong(list: readonly string[] | undefined, value: string | undefined): boolean {
  return list === undefined || (value !== undefined && list.includes(value))
}

function listOf(value: string | readonly string[] | undefined): readonly string[] | undefined {
  return typeof value === 'string' ? [value] : value
}
