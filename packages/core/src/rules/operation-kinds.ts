import type { KnownStatus } from '../statuses.ts'
import { type Fund, type TotalName, tableOf } from './funds.ts'

/** What is known about a kind of operation. */
interface KindFacts {
  /** The `transaction-type` that status and callbacks show (gaps part 5). */
  readonly transactionType: string
  /** Whether an order begins with it. The others are appended to an order. */
  readonly opens: boolean
  /** The sums that its amount adds to once it is approved. */
  readonly adds: readonly TotalName[]
  /** The funds that it draws on, from the moment it is created until it fails. */
  readonly drawsOn?: Fund
  /** What an approval shows, if not `approved`. */
  readonly approvedAs?: { readonly status: KnownStatus; readonly orderStage: string }
}

/**
 * The kinds of operation that move funds. Fraud and dispute notices move none. There is no void and no
 * return among them: these are requests, which make a `cancel` or a `reversal`. A rebill is a sale or a preauth.
 */
export const OPERATION_KINDS = tableOf<Readonly<Record<string, KindFacts>>>()({
  sale: { transactionType: 'sale', opens: true, adds: ['authorized', 'captured'] },
  preauth: { transactionType: 'preauth', opens: true, adds: ['authorized'] },
  'account-verification': { transactionType: 'account verification', opens: true, adds: [] },
  capture: { transactionType: 'capture', opens: false, adds: ['captured'], drawsOn: 'hold' },
  cancel: { transactionType: 'cancel', opens: false, adds: ['cancelled'], drawsOn: 'hold' },
  reversal: { transactionType: 'reversal', opens: false, adds: ['returned'], drawsOn: 'taken' },
  chargeback: { transactionType: 'chargeback', opens: false, adds: ['chargedBack'], drawsOn: 'taken' },
  'payout-check': {
    transactionType: 'payout',
    opens: true,
    adds: ['registered'],
    approvedAs: { status: 'processing', orderStage: 'payout_checked' },
  },
  'payout-pay': { transactionType: 'payout', opens: false, adds: ['paidOut'], drawsOn: 'payout' },
  payout: { transactionType: 'payout', opens: true, adds: ['registered', 'paidOut'] },
  transfer: { transactionType: 'transfer', opens: true, adds: ['registered', 'paidOut'] },
})

/** What an operation does to the money of its order, such as `capture`. */
export type OperationKind = keyof typeof OPERATION_KINDS

/** The kinds that an order begins with. */
export type OpeningKind = {
  [K in OperationKind]: (typeof OPERATION_KINDS)[K]['opens'] extends true ? K : never
}[OperationKind]

/** The kinds that draw on a fund: those that an order does not begin with. */
export type DrawingKind = {
  [K in OperationKind]: (typeof OPERATION_KINDS)[K] extends { readonly drawsOn: Fund } ? K : never
}[OperationKind]

export type TransactionType = (typeof OPERATION_KINDS)[OperationKind]['transactionType']

export const OPERATION_KIND_NAMES = Object.keys(OPERATION_KINDS) as readonly OperationKind[]

/** The facts of a kind; those that it leaves out are `undefined`. */
export function factsOf(kind: OperationKind): KindFacts & { readonly transactionType: TransactionType } {
  return OPERATION_KINDS[kind]
}

/** The sums that together draw on a fund. */
export function drawnFrom(fund: Fund): readonly TotalName[] {
  return OPERATION_KIND_NAMES.map(factsOf)
    .filter(({ drawsOn }) => drawsOn === fund)
    .flatMap(({ adds }) => adds)
}
