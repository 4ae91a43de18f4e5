import { changeShown, type FinalStatus, isFinalStatus, operationKeys, STATUSES, suggestName } from '@tallystick/core'
import type { FoundHandler } from './discover-handlers.ts'
import { CHECKED, impossibleOutcomes } from './impossible-outcomes.ts'
import { hasOutcome, type ReadFilter } from './outcome-filter.ts'
import { type RoutedInstance, takenPaths } from './taken-paths.ts'

/** What is known of an instance when the app starts. */
export interface RegisteredInstance extends RoutedInstance {
  readonly hasJournal: boolean
  /** Whether it has an `onOutcome` of its own. */
  readonly hasListener: boolean
}

type Handlers = readonly FoundHandler[]
type Instances = readonly RegisteredInstance[]

/**
 * Why the app must not start: a name or a path that is taken, a method that can never be told, an outcome that nobody
 * hears.
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
        `${those.length} instances have the name ${name}: give each a name of its own, or import what one forRoot gave, ` +
        'or set global',
    )
}

/** Nest makes an object for each module that provides a class, and each would be told. */
function doubleHandlers(handlers: Handlers): readonly string[] {
  const byClass = Map.groupBy(handlers, ({ prototype }) => prototype)
  return [...byClass.values()].flatMap((those) =>
    [...Map.groupBy(those, ({ method }) => method).values()]
      .filter((same) => same.length > 1)
      .map((same) => {
        const modules = same.map(({ module }) => module).join(' and ')
        return `${same[0]?.name} is provided by ${modules} and would be told twice: provide it once, and export it`
      }),
  )
}

function handlerProblems({ name, filters }: FoundHandler, instances: Instances): readonly string[] {
  return filters.flatMap((filter) => filterProblems(filter, instances)).map((problem) => `${name} ${problem}`)
}

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

/** All that it names exists, and yet it would wait in vain. */
function neverTold(filter: ReadFilter, instances: Instances): readonly string[] {
  const problems = impossibleOutcomes(filter)
  return problems.length > 0 ? problems : unreachable(filter, instances)
}

function emptyLists({ statuses, operations, transactionTypes, instances }: ReadFilter): readonly string[] {
  const isEmpty = [statuses, operations, transactionTypes, instances].some((list) => list?.length === 0)
  return isEmpty ? ['has an empty list, which no outcome passes'] : []
}

function emptyTypes({ transactionTypes }: ReadFilter): readonly string[] {
  return transactionTypes?.includes('') ? ['hears of an empty transactionType, which no outcome has'] : []
}

const HEARD_STATUSES = [...STATUSES.filter((status): status is FinalStatus => isFinalStatus(status)), CHECKED]

function statusProblem(status: string): readonly string[] {
  if (HEARD_STATUSES.some((known) => known === status)) return []
  const isKnown = STATUSES.some((known) => known === status)
  return isKnown
    ? [
        `hears of the status ${status}, which is not final, and no outcome has it; there are ${HEARD_STATUSES.join(', ')}`,
      ]
    : [`hears of the status ${status}, which does not exist; ${suggestName(status, HEARD_STATUSES)}`]
}

function operationProblem(operation: string): readonly string[] {
  const has = hasOutcome(operation)
  if (has === true) return []
  if (has === false) return [`hears of the operation ${operation}, which has no outcome`]
  const known = operationKeys.filter(hasOutcome)
  return [`hears of the operation ${operation}, which does not exist; ${suggestName(operation, known)}`]
}

const KINDS: readonly string[] = ['outcome', 'notice'] satisfies readonly ReadFilter['kind'][]

function kindProblem({ kind }: ReadFilter): readonly string[] {
  return KINDS.includes(kind) ? [] : [`hears of the kind ${kind}, which does not exist; ${suggestName(kind, KINDS)}`]
}

function unknownInstance(name: string, instances: Instances): readonly string[] {
  const known = instances.map((instance) => instance.name).toSorted()
  if (known.includes(name)) return []
  return [`hears of the instance ${name}, which is not registered; ${suggestName(name, known)}`]
}

/** Each instance that is named has to be able to tell the method; where none is named, one of them. */
function unreachable(filter: ReadFilter, instances: Instances): readonly string[] {
  const reasons = instances
    .filter((instance) => addresses(filter, instance))
    .map((instance) => whyNever(filter, instance))
  const never = reasons.filter((reason) => reason !== undefined)
  const isHopeless = filter.instances === undefined ? never.length === reasons.length : never.length > 0
  return isHopeless ? never.map((reason) => `can never be told: ${reason}`) : []
}

function addresses({ instances }: ReadFilter, { name }: RegisteredInstance): boolean {
  return instances?.includes(name) ?? true
}

function whyNever(filter: ReadFilter, instance: RegisteredInstance): string | undefined {
  const { statuses, operations, kind, transactionTypes } = filter
  const { name, hasJournal, routes } = instance
  if (hasJournal) return undefined
  if (routes.callbacks === undefined) return `the instance ${name} has neither a route for callbacks nor a journal`
  if (operations !== undefined) {
    return `without a journal the instance ${name} does not know the operation; filter by transactionType`
  }
  if (
    transactionTypes?.every(
      (transactionType) => (changeShown({ transactionType }) === undefined) === (kind === 'notice'),
    )
  ) {
    const what =
      kind === 'notice'
        ? 'only changes of an order are notices; leave `kind` out'
        : "changes of an order are notices; say `kind: 'notice'`"
    return `without a journal the instance ${name} asks the status alone, and ${what}`
  }
  if (statuses?.every((status) => status === CHECKED)) {
    return `without a journal the instance ${name} has no status ${CHECKED}`
  }
  return undefined
}

/** Without a journal an outcome is acknowledged once everybody was told, and then it is gone. */
function unheardInstances(handlers: Handlers, instances: Instances): readonly string[] {
  const filters = handlers.flatMap((handler) => handler.filters)
  return instances
    .filter(({ hasJournal, routes, hasListener }) => routes.callbacks !== undefined && !hasJournal && !hasListener)
    .filter((instance) => !filters.some((filter) => mayHear(filter, instance, instances)))
    .map(
      ({ name }) =>
        `nobody hears the outcomes of the instance ${name}: give it onOutcome or a journal, or a method @OnPaymentOutcome`,
    )
}

/** A method that is wrong is told of as such, and once: mended it may well hear this instance. */
function mayHear(filter: ReadFilter, instance: RegisteredInstance, instances: Instances): boolean {
  const names = filter.instances ?? []
  if (names.some((name) => unknownInstance(name, instances).length > 0)) return true
  if (!addresses(filter, instance)) return false
  return whyNever(filter, instance) === undefined || filterProblems(filter, instances).length > 0
}
