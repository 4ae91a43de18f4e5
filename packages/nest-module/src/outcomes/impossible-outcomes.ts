import { catalogue, type Operation, operationKeys } from '@tallystick/core'
import type { ReadFilter } from './outcome-filter.ts'

/** The status with which a journal reports a successful payout-check. */
export const CHECKED = 'checked'

const CHECKING = 'payoutCheck'

/**
 * What of a filter no journal can report: statuses and operations that each exist, but never come together. Also reports one
 * that is listed beside others which may come, because the method waits for it in vain.
 */
export function impossibleOutcomes(filter: ReadFilter): readonly string[] {
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
