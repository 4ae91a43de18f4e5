import type { Posting } from '../../ledger/ledger.ts'
import type { StoredOrder } from '../../orders/order.ts'

/** What the self-tests of the databases write and roll back. */

const HOLD = {
  id: '1',
  kind: 'preauth',
  amount: 100n,
  status: 'approved',
  createdAt: 0,
  statusAt: 0,
  serialNumber: '1',
  token: '1',
  outcome: {},
} as const

/** Has no id that an order could have. */
export const SAMPLE: StoredOrder = {
  orderId: 'self-test',
  version: 1,
  login: 'self-test',
  endpointId: '1',
  clientOrderId: 'self-test',
  digest: '1',
  createdAt: 0,
  terms: { currency: 'XXX', settleAfter: 0, holdFor: 0, payoutCheckFor: 0 },
  operations: [HOLD],
  details: { payer: {}, addresses: {} },
}

/** The same order with more taken than was held: its sums break a constraint. */
export const OVERDRAWN: StoredOrder = {
  ...SAMPLE,
  version: 2,
  operations: [HOLD, { ...HOLD, id: '2', kind: 'capture', amount: 101n }],
}

/** Another order with the same client order id. */
export const NAMESAKE: StoredOrder = { ...SAMPLE, orderId: 'self-test-2' }

/** A posting of an operation that does not exist. */
export const ORPHAN: Posting = {
  orderId: '0',
  operationId: '0',
  account: 'payer',
  amount: 1n,
  currency: 'XXX',
  at: 0,
}
