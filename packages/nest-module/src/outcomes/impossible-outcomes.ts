import { catalogue, type Operation, operationKeys } from '@tallystick/core'
import type { ReadFilter } from './outcome-filter.ts'

/** How a journal calls a payout-check that went well. */
export const CHECKED = 'checked'

const CHECKING = 'payoutCheck'

/**
 * What of a filter no journal can tell of: statuses and operations that each exist, and never come together. One that
 * stands beside others which may come is told as well: the method waits for it in vain.
 */
export function impossibleOutcomes({ statuses, operations, kind }: ReadFilter): readonly string[] {
  const ofStatuses: Named = statuses ?? [undefined]
  const ofOperations: Named = operations ?? [undefined]
  const inVain = [
    ...ofStatuses.map((status) => inVainIn(ofOperations.map((operation) => whyNever(kind, status, operation)))),
    ...ofOperations.map((operation) => inVainIn(ofStatuses.map((status) => whyNever(kind, status, operation)))),
  ]
  return [...new Set(inVain.flat())]
}

type Named = ReadonlyArray<string | undefined>

/** The reasons, where there is no way without one. */
function inVainIn(reasons: Named): readonly string[] {
  const known = reasons.filter((reason) => reason !== undefined)
  return known.length === reasons.length ? known : []
}

/**
 * `undefined`: it may come. A notice is about an order whose opening has its outcome, and shows what the gateway
 * shows.
 */
function whyNever(kind: string, status: string | undefined, operation: string | undefined): string | undefined {
  if (kind === 'notice' && status === CHECKED) return `hears of notices with the status ${CHECKED}, which none has`
  if (kind === 'notice' && operation !== undefined && !OPENING.includes(operation)) {
    return `hears of notices of ${operation}, which opens no order; there are notices of ${OPENING.join(', ')}`
  }
  if (status === CHECKED && operation !== undefined && operation !== CHECKING) {
    return `hears of the status ${CHECKED} of ${operation}; ${CHECKING} alone has it`
  }
  return undefined
}

/** The operations that an order begins with: they move money, and name no order that exists. */
const OPENING: readonly string[] = operationKeys.filter((key) => {
  const { effect, request }: Operation = catalogue[key]
  return effect === 'moves-money' && !('orderId' in request.fields)
})
