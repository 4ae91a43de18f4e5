import 'reflect-metadata'
import type { PaymentOutcome } from '@tallystick/client'
import type { JournalOutcome, OperationOutcome, OrderNotice } from '@tallystick/client/ports'
import type { Exponents, FinalStatus, OperationKey, Operations, RequestInput } from '@tallystick/core'
import { checkOptions, type Validator, type Validators, validator } from '@tallystick/core/internal'
import { operationEnd, PAID_OPERATIONS, paidPayment, paymentNotice } from '@tallystick/payments/internal'

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
   * `outcome` of a request, or `notice`: what happened to an order after its outcome, such as a chargeback. Without a
   * journal every change of an order is a notice, even if the shop asked for it. Default `outcome`.
   */
  readonly kind?: JournalOutcome['kind']
  /** The names of instances. Default all of them. */
  readonly instance?: string | readonly string[]
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

/** For a method of instances with and without a journal: `'transaction' in event` distinguishes them. */
export type OutcomeEvent = ConfirmedOutcome | JournaledOutcome

/** The key of the filters. They are on the prototype, so that another decorator that wraps the method does not lose them. */
const FILTERS = Symbol.for('@tallystick/nest-module:on-payment-outcome')

/**
 * Calls the method with outcomes: `@OnPaymentOutcome('approved')`, `@OnPaymentOutcome({ operation: 'return', instance: 'eu' })`.
 * For any provider or controller, including request-scoped ones. A method that is decorated twice is called once with each
 * outcome that passes either filter.
 *
 * It gets a `ConfirmedOutcome`, or a `JournaledOutcome` if the instance has a journal. If it throws, all methods that listen for
 * the outcome are called with it again later. The app does not start if no instance can report what a filter names.
 *
 * @param filter a status, or an {@link OutcomeFilter}. Default: every outcome of every instance, but no notices
 * @throws TypeError on anything but a method, and for an unknown option of the filter
 */
export function OnPaymentOutcome(filter: OutcomeStatus | OutcomeFilter = {}): MethodDecorator {
  const options = typeof filter === 'string' ? { status: filter } : filter
  return listener('@OnPaymentOutcome', options, { as: 'outcome' })
}

/** @param own what the decorator itself says, beside what its user does */
function listener(
  decorator: string,
  filter: OutcomeFilter,
  own: OutcomeFilter & { readonly as: Shown },
): MethodDecorator {
  return (target, method, descriptor?: PropertyDescriptor) => {
    const place = `${typeof target === 'function' ? target.name : target.constructor.name}.${String(method)}`
    if (typeof descriptor?.value !== 'function' || typeof target === 'function') {
      throw new TypeError(`${decorator} is for methods of instances; ${place} is none`)
    }
    checkOptions(`${decorator} of ${place}`, filter, own.kind === undefined ? FILTER_KINDS : INSTANCE_KINDS)
    const merged = { kind: 'outcome', ...filter, ...own }
    Reflect.defineMetadata(FILTERS, [...filtersOf(target, method), merged], target, method)
  }
}

/** How a method gets an event: as the journal or the callback has it, or as a shop in one object has it. */
type Shown = 'outcome' | 'payment' | 'notice' | 'result'

/** Which instances a method listens to. */
export interface InstanceFilter {
  /** The names of instances. Default all of them. */
  readonly instance?: string | readonly string[]
}

/**
 * Calls the method once with each payment that was approved, of an instance that was registered with `gateway` or has a journal:
 * `@OnPaid() book({ payment, transaction }: PaidEvent<DatabaseSync>)`. Never with a chargeback, a refund or a declined payment. Exactly
 * once takes effect what it writes in `transaction`; if it throws, it is called again later.
 *
 * @throws TypeError on anything but a method
 */
export function OnPaid(filter: InstanceFilter = {}): MethodDecorator {
  return listener('@OnPaid', filter, {
    kind: 'outcome',
    status: 'approved',
    operation: PAID_OPERATIONS,
    as: 'payment',
  })
}

/**
 * Calls the method in the same way with what happened to a payment later: a chargeback, a refund made elsewhere, a payment that is
 * approved after it was declined. It gets a `NoticeEvent`.
 *
 * @throws TypeError on anything but a method
 */
export function OnNotice(filter: InstanceFilter = {}): MethodDecorator {
  return listener('@OnNotice', filter, { kind: 'notice', as: 'notice' })
}

/**
 * Calls the method in the same way with every other final result: a payment that came to nothing, a refund, a capture. It gets a
 * `ResultEvent`.
 *
 * @throws TypeError on anything but a method
 */
export function OnResult(filter: InstanceFilter = {}): MethodDecorator {
  return listener('@OnResult', filter, { kind: 'outcome', as: 'result' })
}

const TEXTS: Validator = {
  wanted: 'a text or a list of texts',
  isRight: (value) => [value].flat().every((one) => typeof one === 'string'),
}

const FILTER_KINDS: Validators<OutcomeFilter> = {
  status: TEXTS,
  operation: TEXTS,
  kind: validator.text,
  instance: TEXTS,
}

const INSTANCE_KINDS: Validators<InstanceFilter> = { instance: TEXTS }

/** A filter as the decorator keeps it. That its texts exist is checked when the app starts. */
export type HandlerFilter = Readonly<Partial<Record<keyof OutcomeFilter, string | readonly string[]>>> & {
  readonly as?: Shown
}

/** The filters of a method; none if it is not decorated. It inherits those of a method that it overrides. */
export function filtersOf(prototype: object, method: string | symbol): readonly HandlerFilter[] {
  return Reflect.getMetadata(FILTERS, prototype, method) ?? []
}

/** What a filter compares. Without a journal nobody knows the operation. */
export type EventFacts = Readonly<Record<'instance' | 'kind' | 'status', string> & { operation: string | undefined }>

/** A change of an order after its payment is a notice, with the status of the change. */
export function factsOf({ instance, outcome }: OutcomeEvent): EventFacts {
  if ('kind' in outcome) return { instance, kind: outcome.kind, operation: outcome.operation, status: outcome.status }
  const { change } = outcome
  const kind = change === undefined ? 'outcome' : 'notice'
  return { instance, kind, operation: undefined, status: (change ?? outcome).status }
}

/** The options of a filter, in the order of messages. */
export const FILTER_FIELDS = ['instance', 'kind', 'operation', 'status'] as const

export function passes(filter: HandlerFilter, facts: EventFacts): boolean {
  // Without a journal nobody knows the business key of a payment.
  if (filter.as !== undefined && filter.as !== 'outcome' && facts.operation === undefined) return false
  if (filter.as === 'result' && isPayment(facts)) return false
  return FILTER_FIELDS.every((field) => {
    const value = facts[field]
    return filter[field] === undefined || (value !== undefined && [filter[field]].flat().includes(value))
  })
}

function isPayment({ operation, status }: EventFacts): boolean {
  return status === 'approved' && PAID_OPERATIONS.some((one) => one === operation)
}

/**
 * What the method is called with.
 *
 * @param exponents of the instance's client
 */
export function eventFor({ as }: HandlerFilter, event: OutcomeEvent, exponents: Exponents): unknown {
  if (!('transaction' in event)) return event
  const { outcome, transaction, instance } = event
  if (isNotice(outcome))
    return as === 'notice' ? { notice: paymentNotice(outcome, exponents), transaction, instance } : event
  if (!isOutcome(outcome)) return event
  if (as === 'payment') return { payment: paidPayment(outcome, exponents), transaction, instance }
  return as === 'result' ? { result: operationEnd(outcome, exponents), transaction, instance } : event
}

function isNotice(outcome: JournalOutcome): outcome is OrderNotice {
  return outcome.kind === 'notice'
}

function isOutcome(outcome: JournalOutcome): outcome is OperationOutcome {
  return outcome.kind === 'outcome'
}
