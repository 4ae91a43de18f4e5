import type { FoundHandler } from './discover-handlers.ts'
import { filterProblems, unknownInstance } from './filter-problems.ts'
import type { ReadFilter } from './outcome-filter.ts'
import type { RegisteredInstance } from './registered-instance.ts'
import { takenPaths } from './taken-paths.ts'
import { addresses, whyUntold } from './why-untold.ts'

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
