import { FUND_NAMES, FUNDS, type Fund, SUM_NAMES, type Sums } from './funds.ts'
import { drawnFrom, factsOf } from './operation-kinds.ts'
import type { Order, OrderOperation, OrderTerms, Settlement } from './order.ts'
import { isInFlight } from './transitions.ts'

/**
 * The order that these operations make, oldest first. What is stored is the operations; everything else follows.
 *
 * @throws TypeError when there is no operation, or the first is not one that an order begins with
 */
export function deriveOrder(operations: readonly OrderOperation[], terms: OrderTerms): Order {
  const [opening] = operations
  if (opening === undefined || !factsOf(opening.kind).opens) {
    throw new TypeError('An order begins with a sale, a preauth, an account verification, a payout or a transfer')
  }
  const sums = sumsOf(operations)
  const inFlight = Object.fromEntries(FUND_NAMES.map((fund) => [fund, inFlightOn(fund, operations)]))
  return {
    ...sums,
    currency: terms.currency,
    settleAfter: terms.settleAfter,
    holdFor: terms.holdFor,
    operations,
    opening,
    last: operations.reduce((_, later) => later),
    held: leftOf('hold', sums),
    kept: leftOf('taken', sums),
    inFlight: inFlight as Record<Fund, bigint>,
    holdExpiresAt: holdExpiry(opening, terms),
    settlements: operations.flatMap((operation) => settlementOf(operation, terms)),
  }
}

/** What a fund has left for another operation: operations in flight count as used. */
export function availableOn(fund: Fund, order: Order): bigint {
  return leftOf(fund, order) - order.inFlight[fund]
}

function sumsOf(operations: readonly OrderOperation[]): Sums {
  const approved = operations.filter(({ status }) => status === 'approved')
  const sums = SUM_NAMES.map((name) => [name, total(approved.filter(({ kind }) => factsOf(kind).adds.includes(name)))])
  return Object.fromEntries(sums) as Sums
}

function inFlightOn(fund: Fund, operations: readonly OrderOperation[]): bigint {
  return total(operations.filter(({ kind, status }) => factsOf(kind).drawsOn === fund && isInFlight(status)))
}

function leftOf(fund: Fund, sums: Sums): bigint {
  return drawnFrom(fund).reduce((left, name) => left - sums[name], sums[FUNDS[fund].filledBy])
}

function total(operations: readonly OrderOperation[]): bigint {
  return operations.reduce((sum, { amount }) => sum + amount, 0n)
}

function holdExpiry({ kind, status, statusAt }: OrderOperation, { holdFor }: OrderTerms) {
  return kind === 'preauth' && status === 'approved' ? statusAt + holdFor : undefined
}

function settlementOf(operation: OrderOperation, { settleAfter }: OrderTerms): readonly Settlement[] {
  const { id, kind, amount, status, statusAt } = operation
  if (status !== 'approved' || !factsOf(kind).adds.includes('captured')) return []
  return [{ operationId: id, amount, settlesAt: statusAt + settleAfter }]
}
