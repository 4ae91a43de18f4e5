import { deriveOrder, type OrderOperation, type OrderTerms, sqlColumns } from '@tallystick/core'

const NOTHING: OrderTerms = { currency: 'XXX', settleAfter: 0, holdFor: 0, payoutCheckFor: 0 }

const UNTOUCHED: OrderOperation = {
  id: '1',
  kind: 'account-verification',
  amount: 0n,
  status: 'created',
  createdAt: 0,
  statusAt: 0,
}

/** Names of the columns that hold the sums of an order. Core defines them, with the constraints over them. */
export const SUM_COLUMNS: readonly string[] = Object.keys(sqlColumns(deriveOrder([UNTOUCHED], NOTHING)))
