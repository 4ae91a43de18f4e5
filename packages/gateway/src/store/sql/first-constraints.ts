import { type CreateTableBuilder, sql } from 'kysely'

/**
 * The rules as they were when the first tables were made. This copy never changes: a database that was made then has these
 * constraints, whatever the rules say now, and a migration of its own brings it up to date.
 */
const SUMS = [
  'authorized',
  'captured',
  'cancelled',
  'returned',
  'charged_back',
  'registered',
  'paid_out',
  'hold_in_flight',
  'taken_in_flight',
  'payout_in_flight',
] as const

const WITHIN_FUNDS = {
  hold_within_authorized: 'captured + cancelled + hold_in_flight <= authorized',
  taken_within_captured: 'returned + charged_back + taken_in_flight <= captured',
  payout_within_registered: 'paid_out + payout_in_flight <= registered',
}

const OF_OPERATIONS = {
  amount_not_negative: 'amount >= 0',
  kind_known:
    "kind IN ('sale', 'preauth', 'account-verification', 'capture', 'cancel', 'reversal', 'chargeback', 'payout-check', 'payout-pay', 'payout', 'transfer')",
  status_known: "status IN ('created', 'sent', 'processing', 'unknown', 'approved', 'declined', 'filtered', 'error')",
}

/** The table of orders with their sums, and the constraints that keep these within the funds. */
export function withSums(orders: CreateTableBuilder<string, string>, type: 'bigint' | 'integer') {
  const summed = SUMS.reduce((table, sum) => table.addColumn(sum, type, (column) => column.notNull()), orders)
  const notNegative = SUMS.map((sum) => [`${sum}_not_negative`, `${sum} >= 0`] as const)
  return constrained(summed, Object.fromEntries([...notNegative, ...Object.entries(WITHIN_FUNDS)]))
}

/** The table of operations with the constraints on their amounts, kinds and statuses. */
export function withKnownOperations(operations: CreateTableBuilder<string, string>) {
  return constrained(operations, OF_OPERATIONS)
}

function constrained(table: CreateTableBuilder<string, string>, checks: Readonly<Record<string, string>>) {
  return Object.entries(checks).reduce(
    (built, [name, expression]) => built.addCheckConstraint(name, sql.raw(expression)),
    table,
  )
}
