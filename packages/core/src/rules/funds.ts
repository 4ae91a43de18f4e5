/**
 * Keeps the literals of a table that has a shape. It does what `as const satisfies Shape` does, but the mutation tests can change
 * the table: they skip an expression before an `as`.
 */
export function tableOf<Shape>() {
  return <const Table extends Shape>(table: Table): Table => table
}

/** The sums of an order over its approved operations, each with its database column. */
export const SUM_COLUMNS = tableOf<Readonly<Record<string, string>>>()({
  /** What the payer was authorized for. */
  authorized: 'authorized',
  /** What was taken: sold, or captured from a hold. */
  captured: 'captured',
  /** What was released from a hold. */
  cancelled: 'cancelled',
  /** What was returned of the taken amount. */
  returned: 'returned',
  /** What the issuer took back of the taken amount. */
  chargedBack: 'charged_back',
  /** What may be paid out or transferred. */
  registered: 'registered',
  /** What was paid out or transferred. */
  paidOut: 'paid_out',
})

export type TotalName = keyof typeof SUM_COLUMNS

export type Sums = Readonly<Record<TotalName, bigint>>

export const TOTAL_NAMES = Object.keys(SUM_COLUMNS) as readonly TotalName[]

interface FundFacts {
  readonly filledBy: TotalName
  readonly inFlightColumn: string
  readonly rule: string
}

/**
 * Funds that later operations draw on. All operations that draw on one, in flight or approved, stay within the sum that
 * filled it. `OPERATION_KINDS` says which kinds draw on it.
 */
export const FUNDS = tableOf<Readonly<Record<string, FundFacts>>>()({
  hold: { filledBy: 'authorized', inFlightColumn: 'hold_in_flight', rule: 'G5-07' },
  taken: { filledBy: 'captured', inFlightColumn: 'taken_in_flight', rule: 'G5-07' },
  payout: { filledBy: 'registered', inFlightColumn: 'payout_in_flight', rule: 'S3-07' },
})

export type Fund = keyof typeof FUNDS

export const FUND_NAMES = Object.keys(FUNDS) as readonly Fund[]
