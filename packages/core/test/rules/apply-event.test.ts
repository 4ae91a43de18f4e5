import { describe, expect, test } from 'vitest'
import { applyEvent, openOrder } from '../../src/rules/apply-event.ts'
import { allowedActions } from '../../src/rules/decide-action.ts'
import { deriveOrder } from '../../src/rules/derive-order.ts'
import type { Order } from '../../src/rules/order.ts'
import { shownStatus } from '../../src/rules/shown-status.ts'
import { acted, after, DAY, HOUR, inStatus, NOON, opened } from './orders.ts'

const preauth = inStatus('preauth', 'approved')
const sale = inStatus('sale', 'approved')
const sums = ({ authorized, captured, cancelled, returned, chargedBack, held, kept }: Order) => ({
  authorized,
  captured,
  cancelled,
  returned,
  chargedBack,
  held,
  kept,
})

describe('openOrder', () => {
  test('makes an order that is not sent, settles after a day and holds for seven', () => {
    expect(opened('preauth')).toMatchObject({
      currency: 'EUR',
      settleAfter: 86_400_000,
      holdFor: 604_800_000,
      payoutCheckFor: 900_000,
      opening: { id: 'a', kind: 'preauth', amount: 10_000n, status: 'created', createdAt: NOON, statusAt: NOON },
      authorized: 0n,
      holdExpiresAt: undefined,
    })
  })

  test('uses the times of the endpoint', () => {
    const terms = {
      id: 'a',
      kind: 'sale',
      amount: 1n,
      currency: 'EUR',
      at: NOON,
      settleAfter: 5,
      holdFor: 7,
      payoutCheckFor: 9,
    } as const
    expect(openOrder(terms)).toMatchObject({ allowed: true, order: { settleAfter: 5, holdFor: 7, payoutCheckFor: 9 } })
  })

  test.each([
    ['sale', 0n, 'opening-amount', 'the amount must be above zero'],
    ['payout', -1n, 'opening-amount', 'the amount must be above zero'],
    ['account-verification', 1n, 'opening-amount', 'an account verification is of zero'],
    ['account-verification', -1n, 'opening-amount', 'an account verification is of zero'],
    ['capture', 1n, 'opening-kind', 'no order begins with a capture'],
  ])('refuses a %s of %s by the rule %s: %s', (kind, amount, rule, reason) => {
    const order = { id: 'a', kind: kind as 'sale', amount, currency: 'EUR', at: NOON }
    expect(openOrder(order)).toEqual({ allowed: false, rule, reason })
  })

  test('accepts an account verification of zero', () => {
    expect(inStatus('account-verification', 'approved')).toMatchObject({ authorized: 0n, held: 0n, kept: 0n })
  })
})

describe('deriveOrder', () => {
  test('a sale is authorized and captured in one', () => {
    expect(sums(sale)).toEqual({
      authorized: 10_000n,
      captured: 10_000n,
      cancelled: 0n,
      returned: 0n,
      chargedBack: 0n,
      held: 0n,
      kept: 10_000n,
    })
  })

  test('[S3-01] sums up what became of a preauth', () => {
    const captured = acted(acted(preauth, 'b', 'capture', 3000n), 'c', 'capture', 2500n)
    const returned = acted(acted(captured, 'd', 'return', 1000n), 'e', 'chargeback', 500n)
    expect(sums(returned)).toEqual({
      authorized: 10_000n,
      captured: 5500n,
      cancelled: 0n,
      returned: 1000n,
      chargedBack: 500n,
      held: 4500n,
      kept: 4000n,
    })
    expect(sums(acted(returned, 'f', 'void'))).toMatchObject({
      captured: 5500n,
      cancelled: 4500n,
      held: 0n,
      kept: 4000n,
    })
  })

  test.each(['payout', 'transfer'] as const)('a %s is registered and paid out in one', (kind) => {
    expect(inStatus(kind, 'approved')).toMatchObject({ registered: 10_000n, paidOut: 10_000n, captured: 0n })
  })

  test('operations without an outcome count as in flight, failed ones not at all', () => {
    const two = acted(acted(preauth, 'b', 'capture', 3000n), 'c', 'return', 1000n, 'unknown')
    const three = acted(acted(two, 'd', 'capture', 500n, 'declined'), 'e', 'capture', 700n, 'created')
    expect(three.inFlight).toEqual({ hold: 700n, taken: 1000n, payout: 0n })
    expect(sums(three)).toMatchObject({ captured: 3000n, returned: 0n })
  })

  test('[G13-17] knows when each amount settles and when the hold expires', () => {
    const order = acted(preauth, 'b', 'capture', 3000n, 'approved', NOON + 5 * HOUR)
    expect(order.holdExpiresAt).toBe(NOON + 7 * DAY)
    expect(order.settlements).toEqual([{ operationId: 'b', amount: 3000n, settlesAt: NOON + 29 * HOUR }])
  })

  test('[G13-17] nothing expires without a hold, and nothing settles that is not taken', () => {
    expect(sale.holdExpiresAt).toBeUndefined()
    expect(inStatus('preauth', 'unknown').holdExpiresAt).toBeUndefined()
    expect(inStatus('sale', 'unknown').settlements).toEqual([])
    expect(acted(sale, 'b', 'return', 1000n).settlements).toEqual([
      { operationId: 'a', amount: 10_000n, settlesAt: NOON + DAY },
    ])
  })

  test('the same operations make the same order', () => {
    const order = acted(preauth, 'b', 'capture', 3000n)
    expect(deriveOrder(order.operations, order)).toEqual(order)
  })

  test.each([[[]], [[{ ...sale.opening, kind: 'capture' as const }]]])('is made of an opening first', (operations) => {
    expect(() => deriveOrder(operations, sale)).toThrow(
      new TypeError('An order begins with a sale, a preauth, an account verification, a payout or a transfer'),
    )
  })
})

describe('applyEvent', () => {
  test('appends an operation that is created and leaves the order before as it was', () => {
    const before = structuredClone(sale)
    const event = { type: 'append', action: 'return', id: 'b', at: NOON + HOUR, amount: 100n, currency: 'EUR' } as const
    expect(applyEvent(sale, event)).toMatchObject({
      allowed: true,
      operation: { id: 'b', kind: 'reversal', amount: 100n, status: 'created', createdAt: NOON + HOUR },
      order: { kept: 10_000n, inFlight: { taken: 100n } },
    })
    expect(sale).toEqual(before)
  })

  test('an operation can be appended once', () => {
    const order = acted(sale, 'b', 'return', 100n)
    for (const id of ['a', 'b']) {
      expect(applyEvent(order, { type: 'append', action: 'return', id, at: NOON })).toEqual({
        allowed: false,
        rule: 'operation-id',
        reason: 'the order has this operation',
      })
    }
  })

  test('a late outcome is accepted, even after the hold has expired', () => {
    const flying = acted(preauth, 'b', 'capture', 3000n, 'unknown')
    const late = after(flying, { type: 'advance', id: 'b', to: 'approved', at: NOON + 30 * DAY })
    expect(late).toMatchObject({ captured: 3000n, held: 7000n, inFlight: { hold: 0n } })
  })
})

describe('allowedActions', () => {
  test('says what is possible, up to which amount, who decides it, and why not', () => {
    expect(allowedActions(sale, NOON)).toEqual([
      { action: 'capture', by: 'merchant', allowed: false, rule: 'S3-02', reason: 'only a preauth can be captured' },
      { action: 'void', by: 'merchant', allowed: true, kind: 'reversal', upTo: 10_000n, partial: false },
      { action: 'return', by: 'merchant', allowed: true, kind: 'reversal', upTo: 10_000n, partial: true },
      {
        action: 'pay',
        by: 'merchant',
        allowed: false,
        rule: 'S3-07',
        reason: 'only a payout that was checked can be paid',
      },
      { action: 'chargeback', by: 'issuer', allowed: true, kind: 'chargeback', upTo: 10_000n, partial: true },
      {
        action: 'release',
        by: 'gateway',
        allowed: false,
        rule: 'G13-17',
        reason: 'only the hold of a preauth expires',
      },
      { action: 'store-card', by: 'merchant', allowed: true },
    ])
  })

  test.each(['created', 'processing', 'unknown', 'declined', 'filtered', 'error'] as const)(
    '[G3.2-15] the card of a payment that is %s cannot be stored',
    (status) => {
      expect(allowedActions(inStatus('sale', status), NOON).at(-1)).toEqual({
        action: 'store-card',
        by: 'merchant',
        allowed: false,
        rule: 'G3.2-15',
        reason: 'the first payment is not finally approved',
      })
    },
  )

  test('[G3.2-15] [G13-20] the card of a checked payout can be stored once the payout was paid', () => {
    const checked = inStatus('payout-check', 'approved')
    const cardOf = (order: Order, at = NOON) => allowedActions(order, at).at(-1)
    const refused = { action: 'store-card', allowed: false, rule: 'G3.2-15' }
    expect(cardOf(checked)).toMatchObject(refused)
    expect(cardOf(checked, NOON + DAY)).toMatchObject(refused)
    for (const status of ['created', 'sent', 'processing', 'unknown', 'declined'] as const) {
      expect(cardOf(acted(checked, 'b', 'pay', undefined, status))).toMatchObject(refused)
    }
    expect(cardOf(acted(checked, 'b', 'pay'))).toMatchObject({ action: 'store-card', allowed: true })
  })

  test('a card can be stored whatever has become of the money since', () => {
    const given = acted(sale, 'b', 'return')
    expect(allowedActions(given, NOON).at(-1)).toMatchObject({ action: 'store-card', allowed: true })
  })
})

describe('[G13-20] status shows the last operation, what is held or kept now, and what was requested', () => {
  test.each([
    ['a sale in processing', inStatus('sale', 'processing'), 'sale', 'processing', 0n],
    ['a sale that is not sent', inStatus('sale', 'created'), 'sale', 'processing', 0n],
    ['a sale that is sent', inStatus('sale', 'sent'), 'sale', 'processing', 0n],
    ['an unknown sale', inStatus('sale', 'unknown'), 'sale', 'unknown', 0n],
    ['an approved sale', sale, 'sale', 'approved', 10_000n],
    ['a declined sale', inStatus('sale', 'declined'), 'sale', 'declined', 0n],
    ['a preauth', preauth, 'preauth', 'approved', 10_000n],
    ['a partial capture', acted(preauth, 'b', 'capture', 4000n), 'capture', 'approved', 10_000n],
    ['a declined capture', acted(preauth, 'b', 'capture', 4000n, 'declined'), 'capture', 'declined', 10_000n],
    ['a voided rest', acted(acted(preauth, 'b', 'capture', 4000n), 'c', 'void'), 'cancel', 'approved', 4000n],
    ['a cancel', acted(preauth, 'b', 'return'), 'cancel', 'approved', 0n],
    ['a partial return', acted(sale, 'b', 'return', 3000n), 'reversal', 'approved', 7000n],
    ['a return in processing', acted(sale, 'b', 'return', 3000n, 'processing'), 'reversal', 'processing', 10_000n],
    ['a chargeback', acted(sale, 'b', 'chargeback'), 'chargeback', 'approved', 0n],
    ['a payout', inStatus('payout', 'approved'), 'payout', 'approved', 10_000n],
    ['a transfer', inStatus('transfer', 'approved'), 'transfer', 'approved', 10_000n],
  ])('%s', (_, order, transactionType, status, amount) => {
    expect(shownStatus(order)).toEqual({
      transactionType,
      status,
      orderStage: undefined,
      amount,
      initialAmount: 10_000n,
    })
  })

  test('an account verification, of zero', () => {
    expect(shownStatus(inStatus('account-verification', 'approved'))).toEqual({
      transactionType: 'account verification',
      status: 'approved',
      orderStage: undefined,
      amount: 0n,
      initialAmount: 0n,
    })
  })

  test('[S3-07] [G13-21] a payout is approved only after payout-pay', () => {
    const checked = inStatus('payout-check', 'approved')
    expect(shownStatus(checked)).toEqual({
      transactionType: 'payout',
      status: 'processing',
      orderStage: 'payout_checked',
      amount: 0n,
      initialAmount: 10_000n,
    })
    expect(shownStatus(acted(checked, 'b', 'pay', undefined, 'sent'))).toMatchObject({ status: 'processing' })
    expect(shownStatus(acted(checked, 'b', 'pay'))).toEqual({
      transactionType: 'payout',
      status: 'approved',
      orderStage: undefined,
      amount: 10_000n,
      initialAmount: 10_000n,
    })
    expect(shownStatus(inStatus('payout-check', 'declined'))).toMatchObject({ status: 'declined' })
  })

  test('a payout-check that is not paid in time is declined from then on', () => {
    const checked = inStatus('payout-check', 'approved')
    expect(shownStatus(checked, NOON + 899_999)).toMatchObject({ status: 'processing', orderStage: 'payout_checked' })
    expect(shownStatus(checked, NOON + 900_000)).toMatchObject({
      status: 'declined',
      orderStage: 'payout_check_expired',
      amount: 0n,
    })
    expect(shownStatus(acted(checked, 'b', 'pay'), NOON + DAY)).toMatchObject({ status: 'approved', amount: 10_000n })
    expect(shownStatus(inStatus('payout-check', 'unknown'), NOON + DAY)).toMatchObject({ status: 'unknown' })
  })
})
