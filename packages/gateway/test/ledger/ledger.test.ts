import { describe, expect, test } from 'vitest'
import { auditOrder, postingsOf } from '../../src/ledger/ledger.ts'
import type { Posting, StoredOperation, StoredOrder } from '../../src/store-port.ts'

type Made = readonly [kind: StoredOperation['kind'], amount: bigint, status?: StoredOperation['status']]

/** An order of these operations. */
function order(made: readonly Made[], details: Partial<StoredOrder['details']> = {}): StoredOrder {
  const operations = made.map(([kind, amount, status = 'approved'], at) => ({
    id: `1-${at + 1}`,
    kind,
    amount,
    status,
    createdAt: 0,
    statusAt: 0,
    serialNumber: `serial-${at}`,
    outcome: {},
  }))
  return {
    orderId: '1',
    version: 1,
    login: 'shop',
    endpointId: '1111',
    clientOrderId: 'inv-1',
    digest: 'd',
    createdAt: 0,
    terms: { currency: 'EUR', settleAfter: 0, holdFor: 0, payoutCheckFor: 0 },
    operations,
    details: { payer: {}, addresses: {}, ...details },
  }
}

function posting(operation: number, account: Posting['account'], amount: bigint): Posting {
  return { orderId: '1', operationId: `1-${operation}`, account, amount, currency: 'EUR', at: 0 }
}

/** From whom to whom each operation moves money, by the words of gaps part 5 and interface part 3. */
const MOVES: ReadonlyArray<readonly [made: Made, from: Posting['account'], to: Posting['account']]> = [
  [['sale', 5n], 'payer', 'merchant'],
  [['preauth', 5n], 'payer', 'hold'],
  [['capture', 5n], 'hold', 'merchant'],
  [['cancel', 5n], 'hold', 'payer'],
  [['reversal', 5n], 'merchant', 'payer'],
  [['chargeback', 5n], 'merchant', 'payer'],
  [['payout', 5n], 'merchant', 'receiver'],
  [['payout-pay', 5n], 'merchant', 'receiver'],
  [['transfer', 5n], 'payer', 'receiver'],
]

describe('what an approved operation moves', () => {
  test.for(MOVES)('%s goes from %s to %s', ([[kind, amount], from, to]) => {
    const approved = { orderId: '1', operationId: '1-1', kind, amount, currency: 'EUR', at: 7 }
    expect(postingsOf(approved)).toEqual([
      { orderId: '1', operationId: '1-1', account: from, amount: -5n, currency: 'EUR', at: 7 },
      { orderId: '1', operationId: '1-1', account: to, amount: 5n, currency: 'EUR', at: 7 },
    ])
  })

  test('a transfer from the deposit is paid by the merchant', () => {
    const approved = { orderId: '1', operationId: '1-1', kind: 'transfer', amount: 5n, currency: 'EUR', at: 0 } as const
    expect(postingsOf({ ...approved, fromDeposit: true }).map(({ account }) => account)).toEqual([
      'merchant',
      'receiver',
    ])
  })

  test.for(['account-verification', 'payout-check'] as const)(
    '%s moves nothing, and neither does an amount of zero',
    (kind) => {
      const approved = { orderId: '1', operationId: '1-1', amount: 5n, currency: 'EUR', at: 0 }
      expect(postingsOf({ ...approved, kind })).toEqual([])
      expect(postingsOf({ ...approved, kind: 'sale', amount: 0n })).toEqual([])
    },
  )
})

describe('the audit of an order', () => {
  const preauth = order([
    ['preauth', 10n],
    ['capture', 4n],
    ['reversal', 1n],
    ['cancel', 6n, 'declined'],
  ])
  const right = [
    posting(1, 'payer', -10n),
    posting(1, 'hold', 10n),
    posting(2, 'hold', -4n),
    posting(2, 'merchant', 4n),
    posting(3, 'merchant', -1n),
    posting(3, 'payer', 1n),
  ]

  test('finds nothing wrong if each account has what the operations say', () => {
    expect(auditOrder(preauth, right)).toEqual([])
    expect(auditOrder(order([['transfer', 5n]]), [posting(1, 'merchant', -5n), posting(1, 'receiver', 5n)])).toEqual([])
    const card = { cardId: 'c', bin: '444433', lastFourDigits: '1111', cardType: 'VISA' }
    const byCard = order([['transfer', 5n]], { card })
    expect(auditOrder(byCard, [posting(1, 'payer', -5n), posting(1, 'receiver', 5n)])).toEqual([])
  })

  test('finds a missing movement', () => {
    expect(auditOrder(preauth, right.slice(0, 4))).toEqual([
      'merchant has 4, and the operations make it 3',
      'payer has -10, and the operations make it -9',
    ])
  })

  test('finds half a movement, in its operation and in the order', () => {
    expect(auditOrder(preauth, right.slice(0, 5))).toEqual([
      'payer has -10, and the operations make it -9',
      'the postings of 1-3 sum to -1',
      'the order sums to -1',
    ])
  })

  test('finds a movement that was written twice', () => {
    expect(auditOrder(preauth, [...right, ...right.slice(2, 4)])).toHaveLength(2)
  })

  test('finds money that came from nowhere', () => {
    expect(auditOrder(order([['sale', 5n, 'declined']]), [posting(1, 'merchant', 5n)])).toEqual([
      'merchant has 5, and the operations make it 0',
      'the postings of 1-1 sum to 5',
      'the order sums to 5',
    ])
  })
})
