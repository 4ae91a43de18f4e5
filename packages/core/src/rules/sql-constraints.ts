import { availableOn, totalsOf } from './derive-order.ts'
import { FUND_NAMES, FUNDS, SUM_COLUMNS, TOTAL_NAMES } from './funds.ts'
import { drawnFrom, OPERATION_KIND_NAMES } from './operation-kinds.ts'
import type { OrderOperation } from './order.ts'
import type { StateRuleId } from './state-rules.ts'
import { OPERATION_STATUSES } from './transitions.ts'

/** A CHECK of a table, in SQL that both SQLite and PostgreSQL read. */
export interface SqlConstraint {
  readonly name: string
  /** The condition in the parentheses of CHECK. */
  readonly expression: string
  /** The rule that it enforces; `undefined` for the form of a column. */
  readonly rule: StateRuleId | undefined
}

/** The constraints on the columns of an order, and of an operation. */
export interface SqlConstraints {
  readonly orders: readonly SqlConstraint[]
  readonly operations: readonly SqlConstraint[]
}

/**
 * Constraints on the sums in an order's row, so that two nodes that decide at once cannot overdraw together: funds in flight
 * count as used. Amounts are in minor units.
 */
export function sqlConstraints(): SqlConstraints {
  return {
    orders: [...sqlColumnNames().map(notNegative), ...FUND_NAMES.map(withinFund)],
    operations: [
      notNegative('amount'),
      oneOf('kind', OPERATION_KIND_NAMES, undefined),
      oneOf('status', OPERATION_STATUSES, 'operation-machine'),
    ],
  }
}

/**
 * The values of an order's columns, by the names that the constraints use.
 *
 * @throws TypeError as `deriveOrder`
 */
export function sqlColumns(operations: readonly OrderOperation[]): Readonly<Record<string, bigint>> {
  const totals = totalsOf(operations)
  const columns: Record<string, bigint> = {}
  for (const name of TOTAL_NAMES) columns[SUM_COLUMNS[name]] = totals[name]
  for (const fund of FUND_NAMES) columns[FUNDS[fund].inFlightColumn] = totals.inFlight[fund]
  return columns
}

/**
 * The constraint of a fund from which more is drawn than it holds, for a store without SQL. Operations in flight count.
 *
 * @throws TypeError as `deriveOrder`
 */
export function overdrawn(operations: readonly OrderOperation[]): string | undefined {
  const totals = totalsOf(operations)
  const fund = FUND_NAMES.find((each) => availableOn(each, totals) < 0n)
  return fund && withinFund(fund).name
}

/** The columns of an order's sums. */
export function sqlColumnNames(): readonly string[] {
  return [...TOTAL_NAMES.map((name) => SUM_COLUMNS[name]), ...FUND_NAMES.map((fund) => FUNDS[fund].inFlightColumn)]
}

function notNegative(column: string): SqlConstraint {
  return { name: `${column}_not_negative`, expression: `${column} >= 0`, rule: undefined }
}

function withinFund(fund: keyof typeof FUNDS): SqlConstraint {
  const { filledBy, inFlightColumn, rule } = FUNDS[fund]
  const drawn = [...drawnFrom(fund).map((name) => SUM_COLUMNS[name]), inFlightColumn].join(' + ')
  return { name: `${fund}_within_${SUM_COLUMNS[filledBy]}`, expression: `${drawn} <= ${SUM_COLUMNS[filledBy]}`, rule }
}

function oneOf(column: string, values: readonly string[], rule: StateRuleId | undefined): SqlConstraint {
  const list = values.map((value) => `'${value}'`).join(', ')
  return { name: `${column}_known`, expression: `${column} IN (${list})`, rule }
}
