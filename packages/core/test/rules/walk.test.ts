import { describe, expect, test } from 'vitest'
import { applyEvent } from '../../src/rules/apply-event.ts'
import { allowedActions } from '../../src/rules/decide-action.ts'
import type { OpeningKind } from '../../src/rules/operation-kinds.ts'
import type { Order } from '../../src/rules/order.ts'
import type { OperationStatus } from '../../src/rules/transitions.ts'
import { acted, DAY, HOUR, inStatus, NOON } from './orders.ts'

const preauth = inStatus('preauth', 'approved')
const sale = inStatus('sale', 'approved')
const checked = inStatus('payout-check', 'approved')
const captured = (status: OperationStatus, amount?: bigint) => acted(preauth, 'b', 'capture', amount, status)
const returned = (status: OperationStatus, amount?: bigint) => acted(sale, 'b', 'return', amount, status)
const chargedBack = (status: OperationStatus, amount?: bigint) => acted(sale, 'b', 'chargeback', amount, status)
const paid = (status: OperationStatus) => acted(checked, 'b', 'pay', undefined, status)

/** Orders of 100.00, and how many hours after noon the action is asked for. */
const STATES: Readonly<Record<string, readonly [order: Order, hoursLater: number]>> = {
  'preauth, approved': [preauth, 1],
  'preauth, just before the hold expires': [preauth, 168 - 1],
  'preauth, hold expired': [preauth, 168],
  'preauth, 40 captured': [captured('approved', 4000n), 1],
  'preauth, 40 captured and settled': [captured('approved', 4000n), 24],
  'preauth, 40 captured, hold expired': [captured('approved', 4000n), 168],
  'preauth, 40 captured, rest voided': [acted(captured('approved', 4000n), 'c', 'void'), 1],
  'preauth, 40 captured, rest being captured': [
    acted(captured('approved', 4000n), 'c', 'capture', 6000n, 'processing'),
    1,
  ],
  'preauth, 40 captured, 10 returned': [acted(captured('approved', 4000n), 'c', 'return', 1000n), 1],
  'preauth, 40 captured, 10 being returned': [acted(captured('approved', 4000n), 'c', 'return', 1000n, 'unknown'), 1],
  'preauth, 40 captured, 40 returned': [acted(captured('approved', 4000n), 'c', 'return'), 1],
  'preauth, all captured': [captured('approved'), 1],
  'preauth, all captured in two parts': [acted(captured('approved', 4000n), 'c', 'capture'), 1],
  'preauth, all captured and settled': [captured('approved'), 24],
  'preauth, all captured, hold time over': [captured('approved'), 168],
  'preauth, capture created': [captured('created'), 1],
  'preauth, capture sent': [captured('sent'), 1],
  'preauth, capture processing': [captured('processing'), 1],
  'preauth, capture unknown': [captured('unknown'), 1],
  'preauth, capture unknown, hold expired': [captured('unknown'), 168],
  'preauth, capture declined': [captured('declined'), 1],
  'preauth, capture filtered': [captured('filtered'), 1],
  'preauth, capture in error': [captured('error'), 1],
  'preauth, cancelled': [acted(preauth, 'b', 'return'), 1],
  'preauth, being cancelled': [acted(preauth, 'b', 'void', undefined, 'processing'), 1],
  'preauth, cancel declined': [acted(preauth, 'b', 'void', undefined, 'declined'), 1],
  'sale, approved': [sale, 1],
  'sale, just before it settles': [sale, 24 - 1],
  'sale, settled': [sale, 24],
  'sale, 30 returned': [returned('approved', 3000n), 1],
  'sale, all returned': [returned('approved'), 1],
  'sale, 30 being returned': [returned('processing', 3000n), 1],
  'sale, return unknown': [returned('unknown'), 1],
  'sale, return declined': [returned('declined'), 1],
  'sale, 30 charged back': [chargedBack('approved', 3000n), 25],
  'sale, all charged back': [chargedBack('approved'), 1],
  'sale, 30 being charged back': [chargedBack('processing', 3000n), 1],
  'payout-check, approved': [checked, 0],
  'payout-check, expired': [checked, 0.25],
  'payout-check, pay created': [paid('created'), 1],
  'payout-check, pay unknown': [paid('unknown'), 1],
  'payout-check, pay approved': [paid('approved'), 1],
  'payout-check, pay declined': [paid('declined'), 1],
  'account-verification, approved': [inStatus('account-verification', 'approved'), 1],
  'payout, approved': [inStatus('payout', 'approved'), 1],
  'transfer, approved': [inStatus('transfer', 'approved'), 1],
}

/**
 * What each action makes, with the cents that it may take, or the rule that refuses it. Written by hand from part 3 of the
 * specification and gaps parts 3.2, 5, 12 (C7) and 13; that only one modification is in flight at a time is our decision.
 */
const TABLE = `
                                            | capture        | void           | return         | pay              | chargeback       | release
preauth, approved                           | capture 10000  | cancel 10000   | cancel 10000   | S3-07            | G13-22           | G13-17
preauth, just before the hold expires       | capture 10000  | cancel 10000   | cancel 10000   | S3-07            | G13-22           | G13-17
preauth, hold expired                       | G13-17         | G13-17         | G13-17         | S3-07            | G13-22           | cancel 10000
preauth, 40 captured                        | capture 6000   | cancel 6000    | reversal 4000  | S3-07            | chargeback 4000  | G13-17
preauth, 40 captured and settled            | capture 6000   | cancel 6000    | reversal 4000  | S3-07            | chargeback 4000  | G13-17
preauth, 40 captured, hold expired          | G13-17         | G13-17         | reversal 4000  | S3-07            | chargeback 4000  | cancel 6000
preauth, 40 captured, rest voided           | S3-01          | S3-01          | reversal 4000  | S3-07            | chargeback 4000  | S3-01
preauth, 40 captured, rest being captured   | one-in-flight  | one-in-flight  | reversal 4000  | S3-07            | chargeback 4000  | one-in-flight
preauth, 40 captured, 10 returned           | capture 6000   | cancel 6000    | reversal 3000  | S3-07            | chargeback 3000  | G13-17
preauth, 40 captured, 10 being returned     | capture 6000   | cancel 6000    | one-in-flight  | S3-07            | chargeback 3000  | G13-17
preauth, 40 captured, 40 returned           | capture 6000   | cancel 6000    | G5-07          | S3-07            | G13-22           | G13-17
preauth, all captured                       | S3-01          | reversal 10000 | reversal 10000 | S3-07            | chargeback 10000 | S3-01
preauth, all captured in two parts          | S3-01          | reversal 10000 | reversal 10000 | S3-07            | chargeback 10000 | S3-01
preauth, all captured and settled           | S3-01          | S3-03          | reversal 10000 | S3-07            | chargeback 10000 | S3-01
preauth, all captured, hold time over       | S3-01          | S3-03          | reversal 10000 | S3-07            | chargeback 10000 | S3-01
preauth, capture created                    | one-in-flight  | one-in-flight  | one-in-flight  | S3-07            | G13-22           | one-in-flight
preauth, capture sent                       | one-in-flight  | one-in-flight  | one-in-flight  | S3-07            | G13-22           | one-in-flight
preauth, capture processing                 | one-in-flight  | one-in-flight  | one-in-flight  | S3-07            | G13-22           | one-in-flight
preauth, capture unknown                    | one-in-flight  | one-in-flight  | one-in-flight  | S3-07            | G13-22           | one-in-flight
preauth, capture unknown, hold expired      | one-in-flight  | one-in-flight  | one-in-flight  | S3-07            | G13-22           | one-in-flight
preauth, capture declined                   | capture 10000  | cancel 10000   | cancel 10000   | S3-07            | G13-22           | G13-17
preauth, capture filtered                   | capture 10000  | cancel 10000   | cancel 10000   | S3-07            | G13-22           | G13-17
preauth, capture in error                   | capture 10000  | cancel 10000   | cancel 10000   | S3-07            | G13-22           | G13-17
preauth, cancelled                          | S3-01          | S3-01          | S3-01          | S3-07            | G13-22           | S3-01
preauth, being cancelled                    | one-in-flight  | one-in-flight  | one-in-flight  | S3-07            | G13-22           | one-in-flight
preauth, cancel declined                    | capture 10000  | cancel 10000   | cancel 10000   | S3-07            | G13-22           | G13-17
sale, approved                              | S3-02          | reversal 10000 | reversal 10000 | S3-07            | chargeback 10000 | G13-17
sale, just before it settles                | S3-02          | reversal 10000 | reversal 10000 | S3-07            | chargeback 10000 | G13-17
sale, settled                               | S3-02          | S3-03          | reversal 10000 | S3-07            | chargeback 10000 | G13-17
sale, 30 returned                           | S3-02          | G13-18         | reversal 7000  | S3-07            | chargeback 7000  | G13-17
sale, all returned                          | S3-02          | G13-18         | G5-07          | S3-07            | G13-22           | G13-17
sale, 30 being returned                     | S3-02          | one-in-flight  | one-in-flight  | S3-07            | chargeback 7000  | G13-17
sale, return unknown                        | S3-02          | one-in-flight  | one-in-flight  | S3-07            | G13-22           | G13-17
sale, return declined                       | S3-02          | reversal 10000 | reversal 10000 | S3-07            | chargeback 10000 | G13-17
sale, 30 charged back                       | S3-02          | G13-18         | reversal 7000  | S3-07            | chargeback 7000  | G13-17
sale, all charged back                      | S3-02          | G13-18         | G5-07          | S3-07            | G13-22           | G13-17
sale, 30 being charged back                 | S3-02          | one-in-flight  | one-in-flight  | S3-07            | chargeback 7000  | G13-17
payout-check, approved                      | S3-02          | G12-07         | S3-04          | payout-pay 10000 | G13-22           | G13-17
payout-check, expired                       | S3-02          | G12-07         | S3-04          | check-expiry     | G13-22           | G13-17
payout-check, pay created                   | S3-02          | G12-07         | S3-04          | pay-once         | G13-22           | G13-17
payout-check, pay unknown                   | S3-02          | G12-07         | S3-04          | pay-once         | G13-22           | G13-17
payout-check, pay approved                  | S3-02          | G12-07         | S3-04          | pay-once         | G13-22           | G13-17
payout-check, pay declined                  | S3-02          | G12-07         | S3-04          | pay-once         | G13-22           | G13-17
account-verification, approved              | S3-02          | G12-07         | S3-04          | S3-07            | G13-22           | G13-17
payout, approved                            | S3-02          | G12-07         | S3-04          | S3-07            | G13-22           | G13-17
transfer, approved                          | S3-02          | G12-07         | S3-04          | S3-07            | G13-22           | G13-17
`

/** The same for every status of an original that is not approved. */
const NOT_APPROVED = `
                     | capture        | void           | return | pay   | chargeback | release
sale                 | S3-02          | final-original | S3-06  | S3-07 | G13-22     | G13-17
preauth              | final-original | final-original | S3-06  | S3-07 | G13-22     | S3-01
account-verification | S3-02          | G12-07         | S3-04  | S3-07 | G13-22     | G13-17
payout-check         | S3-02          | G12-07         | S3-04  | S3-07 | G13-22     | G13-17
payout               | S3-02          | G12-07         | S3-04  | S3-07 | G13-22     | G13-17
transfer             | S3-02          | G12-07         | S3-04  | S3-07 | G13-22     | G13-17
`

function rowsOf(table: string): ReadonlyArray<readonly [state: string, action: string, expected: string]> {
  const [head = [], ...rows] = table
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
  const actions = head.filter((name) => name !== '')
  return rows.flatMap(([state = '', ...cells]) => actions.map((name, at) => [state, name, cells[at] ?? ''] as const))
}

function outcome(order: Order, at: number, action: string): string {
  const advice = allowedActions(order, at).find((each) => each.action === action)
  if (advice === undefined || advice.action === 'store-card') throw new Error(`no advice about ${action}`)
  const event = { type: 'append', action: advice.action, id: 'new', at } as const
  const applied = applyEvent(order, event)
  if (!advice.allowed) {
    expect(applied).toMatchObject({ allowed: false, rule: advice.rule })
    return advice.rule
  }
  expect(applied).toMatchObject({
    allowed: true,
    operation: { kind: advice.kind, amount: advice.upTo, status: 'created' },
  })
  return `${advice.kind} ${advice.upTo}`
}

describe('every state and action', () => {
  test('has a row', () => {
    expect(new Set(rowsOf(TABLE).map(([state]) => state))).toEqual(new Set(Object.keys(STATES)))
    expect(rowsOf(TABLE)).toHaveLength(46 * 6)
  })

  test.each(rowsOf(TABLE))(
    '[G5-07] [G12-07] [G13-17] [G13-18] [G13-19] [G13-22] %s: %s gives %s',
    (state, action, expected) => {
      const [order, hoursLater] = STATES[state] ?? []
      if (order === undefined || hoursLater === undefined) throw new Error(`no state "${state}"`)
      expect(outcome(order, NOON + hoursLater * HOUR, action)).toBe(expected)
    },
  )

  const unapproved: readonly OperationStatus[] = [
    'created',
    'sent',
    'processing',
    'unknown',
    'declined',
    'filtered',
    'error',
  ]
  const rows = rowsOf(NOT_APPROVED).flatMap((row) => unapproved.map((status) => [status, ...row] as const))
  test.each(rows)('[S3-06] %s %s: %s gives %s', (status, kind, action, expected) => {
    const order = inStatus(kind as OpeningKind, status)
    expect([NOON + HOUR, NOON + 8 * DAY].map((at) => outcome(order, at, action))).toEqual([expected, expected])
  })
})
