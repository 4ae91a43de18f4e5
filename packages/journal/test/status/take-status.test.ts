import type { Intent, Observation } from '@tallystick/client/ports'
import { describe, expect, test } from 'vitest'
import { takeStatus } from '../../src/status/decide.ts'
import { intentWith } from '../intents.ts'
import { circumstances } from './looks.ts'

const at = circumstances(9)
const taken = (intent: Intent) => takeStatus(intent, at)

describe('The status that an operator takes for a payment', () => {
  const payment = (observed?: Observation) =>
    intentWith({ state: 'REVIEW', reviewReason: 'AMOUNT_DIFFERS', orderId: '1', observed })

  test('is its outcome, with the amount and the currency of the status', () => {
    const other = {
      status: 'approved',
      transactionType: 'sale',
      amount: '1200',
      initialAmount: '1200',
      currency: 'EUR',
    }
    expect(taken(payment(other))).toMatchObject({
      intent: { state: 'FINAL', status: 'approved' },
      outcomes: [{ status: 'approved', orderId: '1', amount: '1200', currency: 'EUR', kept: '1200' }],
    })
  })

  test('is approved if it shows a later change, and that change is reported as such', () => {
    const reversed = { status: 'approved', transactionType: 'reversal', amount: '300', initialAmount: '1200' }
    expect(taken(payment(reversed))).toMatchObject({
      intent: { state: 'FINAL', status: 'approved', holdsKey: true },
      outcomes: [
        { kind: 'outcome', status: 'approved', amount: '1200' },
        { kind: 'notice', transactionType: 'reversal', amount: '900', kept: '300' },
      ],
    })
    const refused = { ...reversed, status: 'declined', amount: '1200' }
    expect(taken(payment(refused))?.intent).toMatchObject({ state: 'FINAL', status: 'approved', holdsKey: true })
  })

  test('is checked again at once: nobody has done so since', () => {
    const { intent } = taken(payment({ status: 'declined' })) ?? {}
    expect(intent).toMatchObject({ status: 'declined', wokenAt: 9, nextCheckAt: 9 })
  })

  test('is its outcome after a return that was reported meanwhile, which is not reported again', () => {
    const charged = { status: 'approved', transactionType: 'sale', amount: '1200', initialAmount: '1200' }
    const returned = { ...charged, transactionType: 'reversal', amount: '900' }
    const refund = intentWith({ operation: 'return', kind: 'modification', amounts: ['300'], before: charged })
    const told = { ...refund, state: 'FINAL', status: 'approved', observed: returned } as const
    const refused = { ...refund, state: 'REJECTED', observed: charged } as const
    expect(takeStatus(payment(charged), { ...at, modifications: [told, refused] })).toMatchObject({
      intent: { state: 'FINAL', observed: returned },
      outcomes: [{ kind: 'outcome', amount: '1200', kept: '1200' }],
    })
  })

  test('is reported with what a clerk refunded before a return that was reported meanwhile', () => {
    const charged = { status: 'approved', transactionType: 'sale', amount: '1200', initialAmount: '1200' }
    const byClerk = { ...charged, transactionType: 'reversal', amount: '1000' }
    const refund = intentWith({
      operation: 'return',
      kind: 'modification',
      state: 'FINAL',
      status: 'approved',
      amounts: ['300'],
      before: byClerk,
      observed: { ...byClerk, amount: '700' },
    })
    expect(takeStatus(payment(charged), { ...at, modifications: [refund] })?.outcomes).toMatchObject([
      { kind: 'outcome', amount: '1200', kept: '1200' },
      { kind: 'notice', transactionType: 'reversal', amount: '200', kept: '1000' },
    ])
    // The same if the status was seen only after the return.
    const returned = payment({ ...byClerk, amount: '700' })
    expect(takeStatus(returned, { ...at, modifications: [refund] })?.outcomes).toMatchObject([
      { kind: 'outcome', amount: '1200', kept: '1200' },
      { kind: 'notice', transactionType: 'reversal', amount: '200', kept: '1000' },
    ])
  })

  describe('is reported as it was before a return', () => {
    const charged = { status: 'approved', transactionType: 'sale', amount: '1200', initialAmount: '1200' }
    const returned = { ...charged, transactionType: 'reversal', amount: '900' }
    const refund = intentWith({ operation: 'return', kind: 'modification', amounts: ['300'], before: charged })

    test.each([
      [
        'was reported, and a chargeback came since',
        { state: 'FINAL', status: 'approved', observed: returned },
        returned,
      ],
      ['is not decided yet', { state: 'REVIEW', holdsOrder: true }, charged],
    ] as const)('that %s: another status check finds what else has happened', (_what, changes, left) => {
      const chargedBack = payment({ ...charged, transactionType: 'chargeback', amount: '400' })
      expect(takeStatus(chargedBack, { ...at, modifications: [{ ...refund, ...changes }] })).toMatchObject({
        intent: { state: 'FINAL', status: 'approved', observed: left, wokenAt: 9, nextCheckAt: 9 },
        outcomes: [{ kind: 'outcome', amount: '1200', kept: '1200' }],
      })
    })

    test('even if the gateway shows the payment with what is kept of it, not a reversal', () => {
      const kept = { ...charged, amount: '900' }
      const told = { ...refund, state: 'FINAL', status: 'approved', observed: kept } as const
      expect(takeStatus(payment(kept), { ...at, modifications: [told] })).toMatchObject({
        intent: { state: 'FINAL', status: 'approved', observed: kept },
        outcomes: [{ kind: 'outcome', amount: '1200', kept: '1200' }],
      })
    })
  })

  test('is reported with what a clerk refunded between two returns, once', () => {
    const charged = { status: 'approved', transactionType: 'sale', amount: '1200', initialAmount: '1200' }
    const reversed = (amount: string) => ({ ...charged, transactionType: 'reversal', amount })
    const part = intentWith({ operation: 'return', kind: 'modification', state: 'FINAL', status: 'approved' })
    const [first, second] = [
      { ...part, before: charged, observed: reversed('1100') },
      { ...part, before: reversed('1000'), observed: reversed('900') },
    ]
    expect(takeStatus(payment(charged), { ...at, modifications: [first, second] })).toMatchObject({
      intent: { observed: { amount: '900' } },
      outcomes: [{ kind: 'outcome' }, { kind: 'notice', amount: '100', kept: '1000' }],
    })
  })

  test.each([[undefined], [{ status: 'processing' }], [{ status: 'unknown' }]])(
    'is no outcome if it was %j',
    (observed) => {
      expect(taken(payment(observed))).toBeUndefined()
    },
  )
})

describe('The status that an operator takes for a return', () => {
  const before = { status: 'approved', transactionType: 'sale', amount: '1042' }
  const refund = (observed?: Observation) =>
    intentWith({ operation: 'return', kind: 'modification', state: 'REVIEW', amounts: ['300'], before, observed })

  test('is its outcome, if the order has changed', () => {
    const observed = { status: 'approved', transactionType: 'reversal', amount: '742' }
    expect(taken({ ...refund(observed), nextCheckAt: 5 })).toMatchObject({
      intent: { state: 'FINAL', status: 'approved', nextCheckAt: undefined, observed },
      outcomes: [{ operation: 'return', status: 'approved', transactionType: 'reversal', amount: '300', kept: '742' }],
      isChangedSince: false,
    })
  })

  test('is only its own outcome, if the order has changed by more: the rest is something else', () => {
    const observed = { status: 'approved', transactionType: 'reversal', amount: '542' }
    expect(taken(refund(observed))).toMatchObject({
      intent: { state: 'FINAL', observed: { ...observed, amount: '742' } },
      outcomes: [{ operation: 'return', status: 'approved', amount: '300', kept: '742' }],
      isChangedSince: true,
    })
  })

  test('is its outcome with the amount refunded, if that is less than was asked for', () => {
    const observed = { status: 'approved', transactionType: 'reversal', amount: '842' }
    expect(taken(refund(observed))).toMatchObject({
      intent: { state: 'FINAL', observed },
      outcomes: [{ operation: 'return', status: 'approved', amount: '200', kept: '842' }],
      isChangedSince: false,
    })
  })

  test('is its outcome without an amount, if more is kept than before: the amount it refunded cannot be seen', () => {
    const observed = { status: 'approved', transactionType: 'reversal', amount: '1342' }
    expect(taken(refund(observed))?.outcomes).toMatchObject([{ amount: undefined, kept: '1342' }])
  })

  test.each([
    ['the amount of the request', '300', 'approved'],
    ['always the amount of the payment', '1042', 'approved'],
    ['more, and was declined', '1342', 'declined'],
  ])('is its outcome with the amount asked for, if the status shows %s', (_what, amount, status) => {
    const observed = { status, transactionType: 'reversal', amount } as const
    expect(taken(refund(observed))?.outcomes).toMatchObject([{ status, amount: '300' }])
  })

  test.each([
    ['capture', { ...before, transactionType: 'capture' }, 'approved', '1042'],
    ['return', { ...before, transactionType: 'reversal', status: 'declined' }, 'declined', '1042'],
  ] as const)('is its outcome, if it looks like an earlier one of its kind: a %s', (operation, shown, status, kept) => {
    expect(taken({ ...refund(shown), operation, before: shown })).toMatchObject({
      intent: { state: 'FINAL', status },
      outcomes: [{ kind: 'outcome', operation, status, amount: '300', kept }],
      isChangedSince: false,
    })
  })

  test('is no outcome, if an approved return would have left less than before', () => {
    const shown = { ...before, transactionType: 'reversal', amount: '742' }
    expect(taken({ ...refund(shown), before: shown })).toBeUndefined()
  })

  test.each([
    ['there was no status', undefined],
    ['the order is as it was before', before],
    ['its change is not decided', { ...before, transactionType: 'reversal', status: 'processing' }],
  ])('is no outcome if %s', (_what, observed) => {
    expect(taken(refund(observed))).toBeUndefined()
  })

  test('is its outcome in the currency of the status', () => {
    const observed = { status: 'approved', transactionType: 'reversal', amount: '742', currency: 'EUR' } as const
    expect(taken(refund(observed))?.outcomes).toMatchObject([{ amount: '300', currency: 'EUR', kept: '742' }])
  })
})
