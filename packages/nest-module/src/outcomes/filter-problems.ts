import { type FinalStatus, isFinalStatus, operationKeys, STATUSES, suggestName } from '@tallystick/core'
import { CHECKED, impossibleOutcomes } from './impossible-outcomes.ts'
import { hasOutcome, type ReadFilter } from './outcome-filter.ts'
import type { RegisteredInstance } from './registered-instance.ts'
import { unreachable } from './why-untold.ts'

type Instances = readonly RegisteredInstance[]

/** What of a filter does not exist. If all of it does, why no outcome can ever pass it. */
export function filterProblems(filter: ReadFilter, instances: Instances): readonly string[] {
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

export function unknownInstance(name: string, instances: Instances): readonly string[] {
  const known = instances.map((instance) => instance.name).toSorted()
  if (known.includes(name)) return []
  return [`listens for the instance ${name}, which is not registered; ${suggestName(name, known)}`]
}
