import {
  catalogue,
  type Exponents,
  isFinalStatus,
  type Operation,
  type OperationKey,
  operationKeys,
} from '@tallystick/core'
import { STATUSES, suggestName } from '@tallystick/core/internal'
import type { PaymentsRoutes } from '../payments.options.ts'
import { type EventFacts, FILTER_FIELDS, type HandlerFilter, passes } from './on-payment-outcome.decorator.ts'

/** What is known of an instance when the app starts. */
export interface RegisteredInstance {
  readonly name: string
  readonly routes: PaymentsRoutes
  readonly hasJournal: boolean
  /** Whether it has an `onOutcome` of its own. */
  readonly hasListener: boolean
  /** Decimals of its amounts. */
  readonly exponents: Exponents
  /** Of a shop in one object: whether it drops notices. */
  readonly shop?: { readonly ignoresNotices: boolean } | undefined
}

/** An object of the app that has methods with `@OnPaymentOutcome`. */
export interface HandlerClass {
  readonly prototype: object
  readonly methods: ReadonlyArray<{ readonly name: string; readonly filters: readonly HandlerFilter[] }>
}

/** Why the app must not start. */
export function setupProblems(
  classes: readonly HandlerClass[],
  instances: readonly RegisteredInstance[],
): readonly string[] {
  const events = instances.flatMap(eventsOf)
  const problems = [
    ...repeated(instances.map(({ name }) => name)).map((name) => `two instances have the name ${name}`),
    ...repeated(instances.flatMap(placesOf)).map((place) => `two routes of payments have the path ${place}`),
    ...repeated(classes.map(({ prototype }) => prototype)).map(
      (prototype) => `${prototype.constructor.name} is provided twice, so its methods would be called twice`,
    ),
    ...classes.flatMap((one) =>
      one.methods.flatMap(({ name, filters }) =>
        filters
          .flatMap((filter) => neverReported(filter, events))
          .map((what) => `${one.prototype.constructor.name}.${name} is never called ${what}`),
      ),
    ),
  ]
  return problems.length > 0 ? problems : [...unhandled(classes, instances), ...unheardShops(classes, instances)]
}

function repeated<Item>(items: readonly Item[]): readonly Item[] {
  return [...new Set(items.filter((item, index) => items.indexOf(item) < index))]
}

/** Nest ignores slashes at both ends, and gives every request of a path and version to the first of its routes. */
function placesOf({ routes: { callbacks, browserReturn, threeDsReturn } }: RegisteredInstance): readonly string[] {
  return [callbacks, browserReturn, threeDsReturn]
    .filter((route) => route !== undefined)
    .flatMap(({ path, version }) =>
      [version].flat().map((one) => {
        const trimmed = path.replace(/^\/+|(?<!\/)\/+$/g, '')
        return one === undefined ? trimmed : `${trimmed} in version ${String(one)}`
      }),
    )
}

/** Every event that an instance can report. */
function eventsOf({ name, hasJournal, routes }: RegisteredInstance): readonly EventFacts[] {
  const all = (kind: string, operation: string | undefined, statuses: readonly string[] = FINAL) =>
    statuses.map((status) => ({ instance: name, kind, operation, status }))
  if (hasJournal) {
    return [
      ...DECIDED.flatMap((operation) => all('outcome', operation)),
      ...all('outcome', CHECKING, ['checked']),
      ...OPENING.flatMap((operation) => all('notice', operation)),
    ]
  }
  return routes.callbacks === undefined ? [] : [...all('outcome', undefined), ...all('notice', undefined)]
}

const FINAL = STATUSES.filter(isFinalStatus)

/** The operation that ends as `checked`, if it went well. */
const CHECKING: OperationKey = 'payoutCheck'

const DECIDED = operationKeys.filter((key) => {
  const { effect, request }: Operation = catalogue[key]
  return (effect === 'moves-money' || effect === 'stores-card') && 'clientOrderId' in request.fields
})

/** The operations that open an order: they move money, and name no existing order. Notices are of these. */
const OPENING = DECIDED.filter((key) => {
  const { effect, request }: Operation = catalogue[key]
  return effect === 'moves-money' && !('orderId' in request.fields)
})

/** Which values of a filter no event has. If every value has some, then which of them never come together. */
function neverReported(filter: HandlerFilter, events: readonly EventFacts[]): readonly string[] {
  const named = FILTER_FIELDS.flatMap((field) =>
    [filter[field] ?? []].flat().map((value) => ({ field, value, only: { ...filter, [field]: value } })),
  )
  const unknown = named.flatMap(({ field, value }) => {
    const known = [...new Set(events.map((event) => event[field]).filter((one) => one !== undefined))]
    if (known.includes(value)) return []
    if (known.length > 0) return [`for ${field} ${value}: ${suggestName(value, known)}`]
    const lack = field === 'operation' ? 'a journal' : 'a journal or a route for callbacks'
    return [`for ${field} ${value}: no instance has ${lack}`]
  })
  if (unknown.length > 0) return unknown
  const never = named.filter(({ only }) => !events.some((event) => passes(only, event)))
  return [...new Set(never.map(({ only }) => `for ${combination(only)} together`))]
}

function combination(filter: HandlerFilter): string {
  return FILTER_FIELDS.filter((field) => filter[field] !== undefined)
    .map((field) => `${field} ${[filter[field]].flat().join(' or ') || 'none'}`)
    .join(', ')
}

/** Without a journal an outcome that nothing handles would come again until the gateway gives up. */
function unhandled(classes: readonly HandlerClass[], instances: readonly RegisteredInstance[]): readonly string[] {
  const filters = classes.flatMap(({ methods }) => methods.flatMap((method) => method.filters))
  return instances
    .filter(({ routes, hasJournal, hasListener }) => routes.callbacks !== undefined && !hasJournal && !hasListener)
    .filter((instance) => {
      const outcomes = eventsOf(instance).filter(({ kind }) => kind === 'outcome')
      return !outcomes.some((event) => filters.some((filter) => passes(filter, event)))
    })
    .map(
      ({ name }) =>
        `nothing handles the outcomes of the instance ${name}: give it onOutcome, a journal or a method with @OnPaymentOutcome`,
    )
}

/** Of a shop in one object, payments and notices must be heard: an outcome that nothing takes would be acknowledged, or wait for ever. */
function unheardShops(classes: readonly HandlerClass[], instances: readonly RegisteredInstance[]): readonly string[] {
  const filters = classes.flatMap(({ methods }) => methods.flatMap((method) => method.filters))
  const isHeard = ({ name }: RegisteredInstance, kind: string) => {
    const facts = { instance: name, kind, operation: 'saleForm', status: 'approved' }
    return filters.some((filter) => filter.as !== 'result' && passes(filter, facts))
  }
  return instances
    .filter(({ shop }) => shop !== undefined)
    .flatMap((instance) => [
      ...(isHeard(instance, 'outcome')
        ? []
        : [`nothing takes the payments of the instance ${instance.name}: give a method @OnPaid()`]),
      ...(instance.shop?.ignoresNotices || isHeard(instance, 'notice')
        ? []
        : [
            `nothing takes what happens to payments of the instance ${instance.name} later, such as a chargeback: give a method @OnNotice(), or the option onNotice: 'ignore'`,
          ]),
      ...(instance.shop?.ignoresNotices && isHeard(instance, 'notice')
        ? [
            `the instance ${instance.name} has the option onNotice: 'ignore', so its methods with @OnNotice() are never called`,
          ]
        : []),
    ])
}
