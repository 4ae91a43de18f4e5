import { tableOf } from './table-of.ts'

interface SumFacts {
  readonly column: string
  readonly meaning: string
}

/** The sums of an order over its approved operations, with the column that a database keeps each in. */
export const SUMS = tableOf<Readonly<Record<string, SumFacts>>>()({
  authorized: { column: 'authorized', meaning: 'What the payer was authorized for.' },
  captured: { column: 'captured', meaning: 'What was taken: sold, or captured of a hold.' },
  cancelled: { column: 'cancelled', meaning: 'What was released of a hold.' },
  returned: { column: 'returned', meaning: 'What was given back of what was taken.' },
  chargedBack: { column: 'charged_back', meaning: 'What the issuer took back of what was taken.' },
  registered: { column: 'registered', meaning: 'What may be paid out or transferred.' },
  paidOut: { column: 'paid_out', meaning: 'What was paid out or transferred.' },
})

export type SumName = keyof typeof SUMS

export type Sums = Readonly<Record<SumName, bigint>>

export const SUM_NAMES = Object.keys(SUMS) as readonly SumName[]

interface FundFacts {
  readonly filledBy: SumName
  readonly inFlightColumn: string
  readonly rule: string
}

/**
 * Funds that later operations draw on: all that draws on one, in flight or approved, stays within the sum that filled
 * it. Which kinds draw on it stands with the kinds.
 */
export const FUNDS = tableOf<Readonly<Record<string, FundFacts>>>()({
  hold: { filledBy: 'authorized', inFlightColumn: 'hold_in_flight', rule: 'G5-07' },
  taken: { filledBy: 'captured', inFlightColumn: 'taken_in_flight', rule: 'G5-07' },
  payout: { filledBy: 'registered', inFlightColumn: 'payout_in_flight', rule: 'S3-07' },
})

export type Fund = keyof typeof FUNDS

export const FUND_NAMES = Object.keys(FUNDS) as readonly Fund[]
