import { describe, expect, test } from 'vitest'
import { applyEvent } from '../../src/rules/apply-event.ts'
import type { OpeningKind } from '../../src/rules/operation-kinds.ts'
import type { Order } from '../../src/rules/order.ts'
import { isInFlight, OPERATION_STATUSES, type OperationStatus, TRANSITIONS } from '../../src/rules/transitions.ts'
import { acted, inStatus, NOON, opened } from './orders.ts'

/** Transcribed from gaps parts 5 and 12 (C10); how an operation begins, and created to error, are our decisions. */
const STATUSES = ['created', 'sent', 'processing', 'unknown', 'approved', 'declined', 'filtered', 'error'] as const
const REFUSED_BY: Readonly<Record<string, string>> = {
  created: 'operation-machine',
  sent: 'operation-machine',
  processing: 'G5-06',
  unknown: 'G12-10',
  approved: 'G5-01',
  declined: 'G5-01',
  filtered: 'G5-01',
  error: 'G5-01',
}
const ALLOWED = new Set([
  'created sent',
  'created error',
  'sent approved',
  'sent declined',
  'sent filtered',
  'sent error',
  'sent processing',
  'sent unknown',
  'processing approved',
  'processing declined',
  'processing filtered',
  'processing error',
  'processing unknown',
  'unknown approved',
  'unknown declined',
  'unknown filtered',
  'unknown error',
])

test('The machine has these steps and no others', () => {
  const steps = Object.entries(TRANSITIONS).flatMap(([from, next]) => next.map((to) => `${from} ${to}`))
  expect(new Set(steps)).toEqual(ALLOWED)
})

const pairs = STATUSES.flatMap((from) => STATUSES.map((to) => [from, to] as const))

const approved = (kind: OpeningKind) => inStatus(kind, 'approved')

/** Every kind of operation as the last of an order, in a given status. */
const LAST: Readonly<Record<string, (status: OperationStatus) => Order>> = {
  sale: (status) => inStatus('sale', status),
  preauth: (status) => inStatus('preauth', status),
  'account-verification': (status) => inStatus('account-verification', status),
  'payout-check': (status) => inStatus('payout-check', status),
  payout: (status) => inStatus('payout', status),
  transfer: (status) => inStatus('transfer', status),
  capture: (status) => acted(approved('preauth'), 'b', 'capture', 4000n, status),
  cancel: (status) => acted(approved('preauth'), 'b', 'void', undefined, status),
  reversal: (status) => acted(approved('sale'), 'b', 'return', 3000n, status),
  chargeback: (status) => acted(approved('sale'), 'b', 'chargeback', 3000n, status),
  'payout-pay': (status) => acted(approved('payout-check'), 'b', 'pay', undefined, status),
}

describe('every status and step of an operation', () => {
  test('are those of the documents', () => {
    expect(new Set(OPERATION_STATUSES)).toEqual(new Set(STATUSES))
  })

  describe.each(Object.entries(LAST))('%s', (kind, make) => {
    test.each(pairs)('[G5-01] [G5-06] %s to %s', (from, to) => {
      const order = make(from)
      expect(order.last).toMatchObject({ kind, status: from })
      const decision = applyEvent(order, { type: 'advance', id: order.last.id, to, at: NOON + 1 })
      if (ALLOWED.has(`${from} ${to}`)) {
        expect(decision).toMatchObject({ allowed: true, operation: { kind, status: to, statusAt: NOON + 1 } })
      } else {
        const reason = REFUSED_BY[from] === 'G5-01' ? `${from} is final` : `${from} does not become ${to}`
        expect(decision).toEqual({ allowed: false, rule: REFUSED_BY[from], reason })
      }
    })
  })

  test('an outcome is awaited until the status is final', () => {
    expect(STATUSES.filter(isInFlight)).toEqual(['created', 'sent', 'processing', 'unknown'])
  })

  test('a step of an operation that is not in the order is refused', () => {
    const decision = applyEvent(opened('sale'), { type: 'advance', id: 'z', to: 'sent', at: NOON })
    expect(decision).toEqual({ allowed: false, rule: 'operation-id', reason: 'the order has no such operation' })
  })
})
