import { changeShown } from '@tallystick/core'
import { CHECKED } from './impossible-outcomes.ts'
import type { ReadFilter } from './outcome-filter.ts'
import type { RegisteredInstance } from './registered-instance.ts'

/** Each instance that the filter names must be able to call the method. If it names none, one instance must. */
export function unreachable(filter: ReadFilter, instances: readonly RegisteredInstance[]): readonly string[] {
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
export function whyUntold(filter: ReadFilter, { name, hasJournal, routes }: RegisteredInstance): string | undefined {
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
