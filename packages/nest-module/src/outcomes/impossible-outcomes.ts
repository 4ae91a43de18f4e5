import { catalogue, type Operation, operationKeys } from '@tallystick/core'
import type { ReadFilter } from './outcome-filter.ts'

/** How a journal calls a payout-check that went well. */
export const CHECKED = 'checked'

const CHECKING = 'payoutCheck'

/**
 * What of a filter no journal can tell of: statuses and operations that each exist, and never come together. One that
 * stands beside others which may come is told as well: the method waits for it in vain.
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

/** The reasons, where there is no way without one. */
function inVainIn(reasons: Named): readonly string[] {
  const known = reasons.filter((reason) => reason !== undefined)
  return known.length === reasons.length ? known : []
}

/**
 * `undefined`: it may come. A notice is about an order whose opening has its outcome, and shows what the gateway
 * shows.
 */
function whyNever(filter: ReadFilter, status: string | undefined, operation: string | undefined): string | undefined {
  const { kind, transactionTypes } = filter
  if (kind === 'notice' && status === CHECKED) return `hears of notices with the status ${CHECKED}, which none has`
  if (kind === 'notice' && operation !== undefined && !OPENING.includes(operation)) {
    return `hears of notices of ${operation}, which opens no order; there are notices of ${OPENING.join(', ')}`
  }
  if (status === CHECKED && operation !== undefined && operation !== CHECKING) {
    return `hears of the status ${CHECKED} of ${operation}; ${CHECKING} alone has it`
  }
  if (transactionTypes !== undefined && operation !== undefined && STORING.includes(operation)) {
    return `hears of ${operation} by transactionType, which a card that is stored has none of; leave it out`
  }
  return undefined
}

/** There is no status to ask for what they made, and so nothing that shows a type. */
const STORING: readonly string[] = operationKeys.filter((key) => catalogue[key].effect === 'stores-card')

/** The operations that an order begins with: they move money, and name no order that exists. */
const OPENING: readonly string[] = operationKeys.filter((key) => {
  const { effect, request }: Operation = catalogue[key]
  return effect === 'moves-money' && !('orderId' in request.fields)
})
