import type { JournalOutcome } from '@tallystick/client'
import { catalogue, type FinalStatus, type Operation, type OperationKey, type Operations } from '@tallystick/core'
import type { HeardOutcome } from './heard-outcome.ts'

/** Operations that have an outcome: those that move money or store a card. */
export type DecidedOperation = {
  [K in OperationKey]: Operations[K]['effect'] extends 'moves-money' | 'stores-card' ? K : never
}[OperationKey]

/** The final statuses, and `checked`: how a journal calls a payout-check that went well. */
export type OutcomeStatus = FinalStatus | 'checked'

/** Which outcomes a method hears. What is left out is not looked at. */
export interface OutcomeFilter {
  readonly status?: OutcomeStatus | readonly OutcomeStatus[]
  /** The request that it is the outcome of. With a journal alone: the status does not tell. */
  readonly operation?: DecidedOperation | readonly DecidedOperation[]
  /** What the status shows: `sale`, `preauth`, `capture`, `cancel`, `reversal`, `payout` and others (gaps part 5). */
  readonly transactionType?: string | readonly string[]
  /**
   * `notice`: what happened to an order after its outcome, a chargeback for one. With a journal alone; without one every
   * outcome counts as `outcome`. Default `outcome`.
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

export function readFilter({
  status,
  operation,
  transactionType,
  kind = 'outcome',
  instance,
}: OutcomeFilter): ReadFilter {
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
  const { kind, operation, transactionType } =
    'kind' in outcome
      ? outcome
      : { kind: 'outcome', operation: undefined, transactionType: outcome.reply.transactionType }
  return (
    filter.kind === kind &&
    isAmong(filter.statuses, outcome.status) &&
    isAmong(filter.operations, operation) &&
    isAmong(filter.transactionTypes, transactionType?.toLowerCase()) &&
    isAmong(filter.instances, instance)
  )
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
