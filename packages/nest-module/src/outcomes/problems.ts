import {
  catalogue,
  changeShown,
  type FinalStatus,
  isFinalStatus,
  type Operation,
  operationKeys,
  STATUSES,
  suggestName,
} from '@tallystick/core'
import type { FoundHandler } from './discover-handlers.ts'
import { hasOutcome, type ReadFilter } from './outcome-filter.ts'
import { type RegisteredInstance, takenPaths } from './registered-instance.ts'

/** The status with which a journal reports a successful payout-check. */
const CHECKED = 'checked'

const CHECKING = 'payoutCheck'

/**
 * What of a filter no journal can report: statuses and operations that each exist, but never come together. Also reports one
 * that is listed beside others which may come, because the method waits for it in vain.
 */
function impossibleOutcomes(filter: ReadFilter): readonly string[] {
  const ofStatuses: Named = filter.statuses ?? [undefined]
  const ofOperations: Named = filter.operations ?? [undefined]
  const inVain = [
    ...ofStatuses.map((status) => inVainIn(ofOperations.map((operation) => whyNever(filter, status, operation)))),
    ...ofOperations.map((operation) => inVainIn(ofStatuses.map((status) => whyNever(filter, status, operation)))),
  ]
  return [...new Set(inVain.flat())]
}

type Named = ReadonlyArray<string | undefined>

/** The reasons, if there is one for every combination; otherwise none. */
function inVainIn(reasons: Named): readonly string[] {
  const known = reasons.filter((reason) => reason !== undefined)
  return known.length === reasons.length ? known : []
}

/**
 * Why this combination never comes; `undefined` if it may. A notice is about an order whose opening has its outcome, and has the
 * type and status that the gateway shows.
 */
function whyNever(filter: ReadFilter, status: string | undefined, operation: string | undefined): string | undefined {
  const { kind, transactionTypes } = filter
  if (kind === 'notice' && status === CHECKED) return `listens for notices with the status ${CHECKED}, which none has`
  if (kind === 'notice' && operation !== undefined && !OPENING.includes(operation)) {
    return `listens for notices of ${operation}, which opens no order; there are notices of ${OPENING.join(', ')}`
  }
  if (status === CHECKED && operation !== undefined && operation !== CHECKING) {
    return `listens for the status ${CHECKED} of ${operation}; only ${CHECKING} has it`
  }
  if (transactionTypes !== undefined && operation !== undefined && STORING.includes(operation)) {
    return `listens for ${operation} by transactionType, which a stored card does not have; leave it out`
  }
  return undefined
}

/** What these operations create has no status, so nothing shows a type. */
const STORING: readonly string[] = operationKeys.filter((key) => catalogue[key].effect === 'stores-card')

/** The operations that open an order: they move money, and name no existing order. */
const OPENING: readonly string[] = operationKeys.filter((key) => {
  const { effect, request }: Operation = catalogue[key]
  return effect === 'moves-money' && 'clientOrderId' in request.fields && !('orderId' in request.fields)
})

/** Each instance that the filter names must be able to call the method. If it names none, one instance must. */
function unreachable(filter: ReadFilter, instances: readonly RegisteredInstance[]): readonly string[] {
  const reasons = instances
    .filter((instance) => addresses(filter, instance))
    .map((instance) => whyUntold(filter, instance))
  const never = reasons.filter((reason) => reason !== undefined)
  const isHopeless = filter.instances === undefined ? never.length === reasons.length : never.length > 0
  return isHopeless ? never.map((reason) => `can never be called: ${reason}`) : []
}

/** Whether the filter names the instance, or names none. */
export function addresses({ instances }: ReadFilter, { name }: Pick<RegisteredInstance, 'name'>): boolean {
  return instances?.includes(name) ?? true
}

/** Why this instance never has an outcome that passes the filter; `undefined` if it may. */
function whyUntold(filter: ReadFilter, { name, hasJournal, routes }: RegisteredInstance): string | undefined {
  if (hasJournal) return undefined
  if (routes.callbacks === undefined) return `the instance ${name} has neither a route for callbacks nor a journal`
  const lack = lackOfStatus(filter)
  return lack && `without a journal the instance ${name} ${lack}`
}

/** What the filter wants that a status does not tell. */
function lackOfStatus({ statuses, operations, kind, transactionTypes }: ReadFilter): string | undefined {
  if (operations !== undefined) return 'does not know the operation; filter by transactionType'
  const isNotice = kind === 'notice'
  if (transactionTypes?.every((type) => isChange(type) !== isNotice)) {
    return isNotice
      ? 'only knows the status, and only changes of an order are notices; leave `kind` out'
      : "only knows the status, and changes of an order are notices; set `kind: 'notice'`"
  }
  return statuses?.every((status) => status === CHECKED) ? `has no status ${CHECKED}` : undefined
}

function isChange(transactionType: string): boolean {
  return changeShown({ transactionType }) !== undefined
}

/** What of a filter does not exist. If all of it does, why no outcome can ever pass it. */
function filterProblems(filter: ReadFilter, instances: Instances): readonly string[] {
  const problems = [
    ...emptyLists(filter),
    ...emptyTypes(filter),
    ...(filter.statuses ?? []).flatMap(statusProblem),
    ...(filter.operations ?? []).flatMap(operationProblem),
    ...kindProblem(filter),
    ...(filter.instances ?? []).flatMap((name) => unknownInstance(name, instances)),
  ]
  return problems.length > 0 ? problems : neverTold(filter, instances)
}

/** Why a filter would wait in vain although all that it names exists. */
function neverTold(filter: ReadFilter, instances: Instances): readonly string[] {
  const problems = impossibleOutcomes(filter)
  return problems.length > 0 ? problems : unreachable(filter, instances)
}

function emptyLists({ statuses, operations, transactionTypes, instances }: ReadFilter): readonly string[] {
  const isEmpty = [statuses, operations, transactionTypes, instances].some((list) => list?.length === 0)
  return isEmpty ? ['has an empty list, which no outcome passes'] : []
}

function emptyTypes({ transactionTypes }: ReadFilter): readonly string[] {
  return transactionTypes?.includes('') ? ['listens for an empty transactionType, which no outcome has'] : []
}

const HEARD_STATUSES = [...STATUSES.filter((status): status is FinalStatus => isFinalStatus(status)), CHECKED]

function statusProblem(status: string): readonly string[] {
  if (HEARD_STATUSES.some((known) => known === status)) return []
  const isKnown = STATUSES.some((known) => known === status)
  return isKnown
    ? [`listens for the status ${status}, which is not final, so no outcome has it; use ${HEARD_STATUSES.join(', ')}`]
    : [`listens for the status ${status}, which does not exist; ${suggestName(status, HEARD_STATUSES)}`]
}

function operationProblem(operation: string): readonly string[] {
  const has = hasOutcome(operation)
  if (has === true) return []
  if (has === false) return [`listens for the operation ${operation}, which has no outcome`]
  const known = operationKeys.filter(hasOutcome)
  return [`listens for the operation ${operation}, which does not exist; ${suggestName(operation, known)}`]
}

const KINDS: readonly string[] = ['outcome', 'notice'] satisfies readonly ReadFilter['kind'][]

function kindProblem({ kind }: ReadFilter): readonly string[] {
  return KINDS.includes(kind) ? [] : [`listens for the kind ${kind}, which does not exist; ${suggestName(kind, KINDS)}`]
}

function unknownInstance(name: string, instances: Instances): readonly string[] {
  const known = instances.map((instance) => instance.name).toSorted()
  if (known.includes(name)) return []
  return [`listens for the instance ${name}, which is not registered; ${suggestName(name, known)}`]
}

type Handlers = readonly FoundHandler[]
type Instances = readonly RegisteredInstance[]

/**
 * Why the app must not start: a name or a path that is taken, a method that can never be called, an outcome that nothing
 * handles.
 */
export function setupProblems(handlers: Handlers, instances: Instances, isVersioned: boolean): readonly string[] {
  return [
    ...takenNames(instances),
    ...takenPaths(instances, isVersioned),
    ...doubleHandlers(handlers),
    ...handlers.flatMap((handler) => handlerProblems(handler, instances)),
    ...unheardInstances(handlers, instances),
  ]
}

function takenNames(instances: Instances): readonly string[] {
  return [...Map.groupBy(instances, ({ name }) => name)]
    .filter(([, those]) => those.length > 1)
    .map(
      ([name, those]) =>
        `${those.length} instances have the name ${name}: give each a name of its own, or import what one forRoot returned, ` +
        'or set global',
    )
}

/** Nest creates an object for each module that provides a class, and each would be called. */
function doubleHandlers(handlers: Handlers): readonly string[] {
  const byClass = Map.groupBy(handlers, ({ prototype }) => prototype)
  return [...byClass.values()].flatMap((those) =>
    [...Map.groupBy(those, ({ method }) => method).values()]
      .filter((same) => same.length > 1)
      .map((same) => {
        const modules = same.map(({ module }) => module).join(' and ')
        return `${same[0]?.name} is provided by ${modules} and would be called twice: provide it once, and export it`
      }),
  )
}

function handlerProblems({ name, filters }: FoundHandler, instances: Instances): readonly string[] {
  return filters.flatMap((filter) => filterProblems(filter, instances)).map((problem) => `${name} ${problem}`)
}

/** Without a journal an outcome is acknowledged once every method was called with it, and then it is gone. */
function unheardInstances(handlers: Handlers, instances: Instances): readonly string[] {
  const filters = handlers.flatMap((handler) => handler.filters)
  return instances
    .filter(({ hasJournal, routes, hasListener }) => routes.callbacks !== undefined && !hasJournal && !hasListener)
    .filter((instance) => !filters.some((filter) => mayHear(filter, instance, instances)))
    .map(
      ({ name }) =>
        `nothing handles the outcomes of the instance ${name}: give it onOutcome, a journal or a method with @OnPaymentOutcome`,
    )
}

/** A method with a wrong filter is reported for that, and only once: when fixed, it may well listen to this instance. */
function mayHear(filter: ReadFilter, instance: RegisteredInstance, instances: Instances): boolean {
  const names = filter.instances ?? []
  if (names.some((name) => unknownInstance(name, instances).length > 0)) return true
  if (!addresses(filter, instance)) return false
  return whyUntold(filter, instance) === undefined || filterProblems(filter, instances).length > 0
}
