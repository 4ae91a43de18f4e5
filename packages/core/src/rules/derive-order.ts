import { FUND_NAMES, FUNDS, type Fund, type Sums, TOTAL_NAMES, type TotalName } from './funds.ts'
import { drawnFrom, factsOf, type OperationKind } from './operation-kinds.ts'
import type { Instant, Order, OrderOperation, OrderTerms, Settlement } from './order.ts'
import { isInFlight } from './transitions.ts'

/**
 * The order that these operations make, oldest first. Only operations are stored; everything else follows from them.
 *
 * @throws TypeError if there is no operation, or no order begins with the first
 */
export function deriveOrder(operations: readonly OrderOperation[], terms: OrderTerms): Order {
  const opening = openingOf(operations)
  const totals = totalsOf(operations)
  return {
    ...totals,
    currency: terms.currency,
    settleAfter: terms.settleAfter,
    holdFor: terms.holdFor,
    payoutCheckFor: terms.payoutCheckFor,
    operations,
    opening,
    last: operations.at(-1) ?? opening,
    held: leftOf('hold', totals),
    kept: leftOf('taken', totals),
    holdExpiresAt: approvedFor('preauth', terms.holdFor, opening),
    checkExpiresAt: approvedFor('payout-check', terms.payoutCheckFor, opening),
    settlements: operations.flatMap((operation) => settlementOf(operation, terms)),
  }
}

/** What a fund has left for another operation: operations in flight count as used. */
export function availableOn(fund: Fund, order: Totals): bigint {
  return leftOf(fund, order) - order.inFlight[fund]
}

/** Whether the time that an approval allows is over. Without such a time, it never is. */
export function isOver(expiresAt: Instant | undefined, at: Instant): boolean {
  return expiresAt !== undefined && at >= expiresAt
}

/** What the operations of an order add up to. */
export type Totals = Sums & Pick<Order, 'inFlight'>

const NO_SUMS = Object.fromEntries(TOTAL_NAMES.map((name) => [name, 0n])) as Record<TotalName, bigint>
const NOTHING_IN_FLIGHT = Object.fromEntries(FUND_NAMES.map((fund) => [fund, 0n])) as Record<Fund, bigint>

function openingOf([opening]: readonly OrderOperation[]): OrderOperation {
  if (opening !== undefined && factsOf(opening.kind).opens) return opening
  throw new TypeError('An order begins with a sale, a preauth, an account verification, a payout or a transfer')
}

/**
 * One pass: every request derives its order a few times.
 *
 * @throws TypeError as `deriveOrder`
 */
export function totalsOf(operations: readonly OrderOperation[]): Totals {
  openingOf(operations)
  const totals = { ...NO_SUMS, inFlight: { ...NOTHING_IN_FLIGHT } }
  for (const { kind, status, amount } of operations) {
    const { adds, drawsOn } = factsOf(kind)
    if (status === 'approved') for (const name of adds) totals[name] += amount
    else if (drawsOn !== undefined && isInFlight(status)) totals.inFlight[drawsOn] += amount
  }
  return totals
}

/** The sums that together draw on each fund. */
const DRAWN = Object.fromEntries(FUND_NAMES.map((fund) => [fund, drawnFrom(fund)])) as Record<
  Fund,
  readonly TotalName[]
>

function leftOf(fund: Fund, sums: Sums): bigint {
  return DRAWN[fund].reduce((left, name) => left - sums[name], sums[FUNDS[fund].filledBy])
}

/** When the time that the approval of such an operation allows is over. */
function approvedFor(expiring: OperationKind, duration: number, { kind, status, statusAt }: OrderOperation) {
  return kind === expiring && status === 'approved' ? statusAt + duration : undefined
}

function settlementOf(operation: OrderOperation, { settleAfter }: OrderTerms): readonly Settlement[] {
  const { id, kind, amount, status, statusAt } = operation
  if (status !== 'approved' || !factsOf(kind).adds.includes('captured')) return []
  return [{ operationId: id, amount, settlesAt: statusAt + settleAfter }]
}
