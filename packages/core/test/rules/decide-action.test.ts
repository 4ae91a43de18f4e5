import { describe, expect, test } from 'vitest'
import {
  decideCapture,
  decideChargeback,
  decidePay,
  decideRelease,
  decideReturn,
  decideVoid,
} from '../../src/rules/decide-action.ts'
import { acted, DAY, HOUR, inStatus, NOON } from './orders.ts'

const at = NOON + HOUR
const euros = (amount: bigint) => ({ at, amount, currency: 'EUR' })
const preauth = inStatus('preauth', 'approved')
const sale = inStatus('sale', 'approved')
const checked = inStatus('payout-check', 'approved')
const partlyCaptured = acted(preauth, 'b', 'capture', 4000n)
const captured = acted(preauth, 'b', 'capture')

const refusedBy = (rule: string) => expect.objectContaining({ allowed: false, rule })

describe('capture', () => {
  test('[S3-02] without an amount takes all that is held', () => {
    expect(decideCapture(preauth, { at })).toEqual({
      allowed: true,
      kind: 'capture',
      amount: 10_000n,
      upTo: 10_000n,
      partial: true,
    })
  })

  test('[S3-02] takes a part when amount and currency are supplied', () => {
    expect(decideCapture(preauth, euros(1n))).toMatchObject({ allowed: true, amount: 1n, upTo: 10_000n })
    expect(decideCapture(partlyCaptured, euros(6000n))).toMatchObject({ allowed: true, amount: 6000n, upTo: 6000n })
  })

  test('[S3-02] an amount without its currency, or a currency alone, is refused', () => {
    expect(decideCapture(preauth, { at, amount: 5000n })).toEqual(refusedBy('S3-02'))
    expect(decideCapture(preauth, { at, currency: 'EUR' })).toEqual(refusedBy('S3-02'))
  })

  test('[G5-07] captures together stay within the preauth', () => {
    expect(decideCapture(preauth, euros(10_001n))).toEqual(refusedBy('G5-07'))
    expect(decideCapture(partlyCaptured, euros(6001n))).toEqual({
      allowed: false,
      rule: 'G5-07',
      reason: 'the amount exceeds what is left on hold',
    })
  })

  test.each([0n, -1n])('an amount of %s is refused', (amount) => {
    expect(decideCapture(preauth, euros(amount))).toEqual({
      allowed: false,
      rule: 'order-money',
      reason: 'the amount must be above zero',
    })
  })

  test('another currency than the order has is refused', () => {
    expect(decideCapture(preauth, { ...euros(5000n), currency: 'USD' })).toEqual({
      allowed: false,
      rule: 'order-money',
      reason: 'the currency of the order is EUR',
    })
  })

  test('[S3-01] [G13-17] a hold lasts for 7 days from its approval', () => {
    expect(decideCapture(preauth, { at: NOON + 7 * DAY - 1 })).toMatchObject({ allowed: true })
    expect(decideCapture(preauth, { at: NOON + 7 * DAY })).toEqual(refusedBy('G13-17'))
  })
})

describe('void', () => {
  test('[S3-03] [S8-04] is never partial', () => {
    for (const order of [preauth, sale, captured]) {
      expect(decideVoid(order, { at })).toMatchObject({ allowed: true, amount: 10_000n, partial: false })
      expect(decideVoid(order, euros(10_000n))).toMatchObject({ allowed: true, amount: 10_000n })
      expect(decideVoid(order, euros(9999n))).toEqual(refusedBy('S3-03'))
    }
  })

  test('[S3-01] [S3-03] cancels an authorization', () => {
    expect(decideVoid(preauth, { at })).toMatchObject({ allowed: true, kind: 'cancel' })
  })

  test('[G12-07] [G13-17] [G13-18] reverses a sale or a full capture before it settles, 24 hours after its outcome', () => {
    for (const order of [sale, captured]) {
      expect(decideVoid(order, { at: NOON + DAY - 1 })).toMatchObject({ allowed: true, kind: 'reversal' })
      expect(decideVoid(order, { at: NOON + DAY })).toEqual(refusedBy('S3-03'))
    }
  })

  test('[G13-18] after a partial capture cancels what is not captured, settled or not', () => {
    for (const hours of [1, 48]) {
      expect(decideVoid(partlyCaptured, { at: NOON + hours * HOUR })).toMatchObject({ kind: 'cancel', amount: 6000n })
    }
  })

  test('[G13-18] of a sale that was returned in part is refused: that would be partial', () => {
    expect(decideVoid(acted(sale, 'b', 'return', 1n), { at })).toEqual(refusedBy('G13-18'))
  })

  test('[S3-03] of several captures is possible only until the first of them settles', () => {
    const later = acted(partlyCaptured, 'c', 'capture', undefined, 'approved', NOON + 20 * HOUR)
    expect(decideVoid(later, { at: NOON + 23 * HOUR })).toMatchObject({ kind: 'reversal', amount: 10_000n })
    expect(decideVoid(later, { at: NOON + 24 * HOUR })).toEqual(refusedBy('S3-03'))
  })
})

describe('return', () => {
  test('[S3-04] [G13-19] of a preauth with nothing captured is a cancel of the whole', () => {
    expect(decideReturn(preauth, { at })).toMatchObject({
      allowed: true,
      kind: 'cancel',
      amount: 10_000n,
      partial: false,
    })
    expect(decideReturn(preauth, euros(10_000n))).toMatchObject({ allowed: true, kind: 'cancel' })
  })

  test('[G3.2-14] a partial cancel of a preauth is refused', () => {
    expect(decideReturn(preauth, euros(9999n))).toEqual({
      allowed: false,
      rule: 'G3.2-14',
      reason: 'only the whole of what is left is possible: leave the amount out',
    })
  })

  test('[S3-04] [G13-19] of a sale or of captured funds is a reversal', () => {
    expect(decideReturn(sale, { at })).toMatchObject({ kind: 'reversal', amount: 10_000n, partial: true })
    expect(decideReturn(partlyCaptured, { at })).toMatchObject({ kind: 'reversal', amount: 4000n, partial: true })
  })

  test('[S3-05] [S8-04] is partial when amount and currency are supplied, otherwise full', () => {
    expect(decideReturn(sale, euros(1n))).toMatchObject({ allowed: true, amount: 1n, upTo: 10_000n })
    expect(decideReturn(acted(sale, 'b', 'return', 2500n), { at })).toMatchObject({ allowed: true, amount: 7500n })
    expect(decideReturn(sale, { at, amount: 5000n })).toEqual(refusedBy('S3-05'))
    expect(decideReturn(sale, { at, currency: 'EUR' })).toEqual(refusedBy('S3-05'))
  })

  test('[G3.2-14] of more than the initial amount is refused', () => {
    expect(decideReturn(sale, euros(10_001n))).toEqual({
      allowed: false,
      rule: 'G3.2-14',
      reason: 'the amount exceeds the initial amount',
    })
  })

  test('[G5-07] reversals together stay within what was taken', () => {
    expect(decideReturn(partlyCaptured, euros(4001n))).toEqual({
      allowed: false,
      rule: 'G5-07',
      reason: 'the amount exceeds what is left on the order',
    })
    expect(decideReturn(acted(sale, 'b', 'return', 2500n), euros(7501n))).toEqual(refusedBy('G5-07'))
    expect(decideReturn(acted(sale, 'b', 'chargeback', 2500n), euros(7501n))).toEqual(refusedBy('G5-07'))
  })

  test('[S3-06] needs an original in a final successful status', () => {
    for (const status of ['processing', 'unknown', 'declined'] as const) {
      expect(decideReturn(inStatus('sale', status), { at })).toEqual({
        allowed: false,
        rule: 'S3-06',
        reason: 'the original transaction is not in a final successful status',
      })
    }
  })

  test('[G13-17] is still possible after settlement', () => {
    expect(decideReturn(sale, { at: NOON + 300 * DAY })).toMatchObject({ allowed: true, kind: 'reversal' })
  })
})

describe('payout in two steps', () => {
  test('[S3-07] [G13-21] the second executes what the first registered, whole', () => {
    expect(decidePay(checked, { at: NOON })).toMatchObject({ kind: 'payout-pay', amount: 10_000n, partial: false })
    expect(decidePay(checked, euros(9999n))).toEqual(refusedBy('S3-07'))
  })

  test('[S3-07] needs a successful check', () => {
    for (const status of ['sent', 'processing', 'unknown', 'declined', 'filtered', 'error'] as const) {
      expect(decidePay(inStatus('payout-check', status), { at })).toEqual(refusedBy('S3-07'))
    }
  })

  test('is paid within a quarter of an hour of its check, and no later', () => {
    expect(decidePay(checked, { at: NOON + 899_999 })).toMatchObject({ allowed: true })
    expect(decidePay(checked, { at: NOON + 900_000 })).toEqual(refusedBy('check-expiry'))
  })

  test('[S3-07] is paid once, whatever the outcome', () => {
    for (const status of ['created', 'unknown', 'approved', 'declined', 'error'] as const) {
      expect(decidePay(acted(checked, 'b', 'pay', undefined, status), { at })).toEqual(refusedBy('pay-once'))
    }
  })
})

describe('chargeback', () => {
  test('[G13-22] takes back captured or sold funds, at most what is left of them', () => {
    expect(decideChargeback(sale, { at })).toMatchObject({ kind: 'chargeback', amount: 10_000n, partial: true })
    expect(decideChargeback(partlyCaptured, euros(4000n))).toMatchObject({ allowed: true, upTo: 4000n })
    expect(decideChargeback(partlyCaptured, euros(4001n))).toEqual(refusedBy('G13-22'))
    expect(decideChargeback(preauth, { at })).toEqual(refusedBy('G13-22'))
  })

  test('[G13-22] is possible while a return is in flight, whose amount counts as used', () => {
    const returning = acted(sale, 'b', 'return', 3000n, 'unknown')
    expect(decideChargeback(returning, euros(7000n))).toMatchObject({ allowed: true, upTo: 7000n })
    expect(decideChargeback(returning, euros(7001n))).toEqual(refusedBy('G13-22'))
  })
})

describe('release', () => {
  test('[G13-17] releases a hold that has expired, whole, and none before', () => {
    expect(decideRelease(preauth, { at: NOON + 7 * DAY - 1 })).toEqual(refusedBy('G13-17'))
    expect(decideRelease(preauth, { at: NOON + 7 * DAY })).toMatchObject({ kind: 'cancel', amount: 10_000n })
    expect(decideRelease(partlyCaptured, { at: NOON + 8 * DAY })).toMatchObject({ kind: 'cancel', amount: 6000n })
    expect(decideRelease(preauth, { ...euros(9999n), at: NOON + 8 * DAY })).toEqual(refusedBy('G13-17'))
  })
})

describe('a refusal names its rule and says why', () => {
  const soldInPart = () => acted(sale, 'b', 'return', 2500n)
  const nothingLeft = () => acted(sale, 'b', 'return')
  const flying = () => acted(sale, 'b', 'return', 2500n, 'unknown')
  const whole = () => acted(sale, 'b', 'return', undefined, 'unknown')

  test.each([
    ['S3-02', 'only a preauth can be captured', () => decideCapture(sale, { at })],
    ['G12-07', 'only a preauth, a sale or a capture can be voided', () => decideVoid(checked, { at })],
    ['S3-04', 'only a preauth, a sale or a capture can be returned', () => decideReturn(checked, { at })],
    ['S3-07', 'only a payout that was checked can be paid', () => decidePay(sale, { at })],
    ['G13-22', 'only captured or sold funds can be charged back', () => decideChargeback(checked, { at })],
    ['G13-17', 'only the hold of a preauth expires', () => decideRelease(sale, { at })],
    [
      'final-original',
      'the original transaction is not in a final successful status',
      () => decideVoid(inStatus('sale', 'unknown'), { at }),
    ],
    ['S3-07', 'the payout-check has not succeeded', () => decidePay(inStatus('payout-check', 'unknown'), { at })],
    [
      'S3-07',
      'only the whole of what is left is possible: leave the amount out',
      () => decidePay(checked, euros(9999n)),
    ],
    [
      'check-expiry',
      'the payout-check has expired: check again, under a new order id',
      () => decidePay(checked, { at }),
    ],
    ['pay-once', 'the payout has been executed before', () => decidePay(acted(checked, 'b', 'pay'), { at })],
    [
      'one-in-flight',
      'an operation that draws on the same funds has no outcome yet',
      () => decideReturn(flying(), { at }),
    ],
    ['S3-01', 'nothing is on hold any more', () => decideCapture(captured, { at })],
    ['G13-17', 'the hold has expired', () => decideCapture(preauth, { at: NOON + 7 * DAY })],
    ['G13-17', 'the hold has not expired yet', () => decideRelease(preauth, { at: NOON + 7 * DAY - 1 })],
    [
      'G13-17',
      'only the whole of what is left is possible: leave the amount out',
      () => decideRelease(preauth, { at: NOON + 7 * DAY, amount: 9999n, currency: 'EUR' }),
    ],
    [
      'G13-18',
      'a part was returned already, so it cannot be reversed in full: return the rest',
      () => decideVoid(soldInPart(), { at }),
    ],
    ['S3-03', 'the funds are settled: return them', () => decideVoid(sale, { at: NOON + DAY })],
    ['S3-03', 'only the whole of what is left is possible: leave the amount out', () => decideVoid(sale, euros(9999n))],
    ['S3-02', 'amount and currency come together', () => decideCapture(preauth, { at, amount: 1n })],
    ['S3-05', 'amount and currency come together', () => decideReturn(sale, { at, currency: 'EUR' })],
    ['G5-07', 'nothing is left on the order', () => decideReturn(nothingLeft(), { at })],
    ['G13-22', 'no captured or sold funds are left', () => decideChargeback(nothingLeft(), { at })],
    [
      'G13-22',
      'the amount exceeds the captured or sold funds that are left',
      () => decideChargeback(soldInPart(), euros(7501n)),
    ],
    ['G13-22', 'a return of them has no outcome yet: try again after it', () => decideChargeback(whole(), { at })],
    [
      'G13-22',
      'a return of them has no outcome yet: try again after it',
      () => decideChargeback(flying(), euros(10_000n)),
    ],
    [
      'G13-22',
      'the amount exceeds the captured or sold funds that are left',
      () => decideChargeback(flying(), euros(10_001n)),
    ],
  ])('%s: %s', (rule, reason, decide) => {
    expect(decide()).toEqual({ allowed: false, rule, reason })
  })
})

test.each([Number.NaN, Number.POSITIVE_INFINITY])('%s is no instant', (wrong) => {
  expect(() => decideVoid(sale, { at: wrong })).toThrow(new TypeError('at must be milliseconds since 1970'))
})
