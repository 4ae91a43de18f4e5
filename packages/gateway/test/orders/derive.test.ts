import { describe, expect, test } from 'vitest'
import { minorUnits } from '../../src/orders/amounts.ts'
import { newOrder } from '../../src/orders/new-order.ts'
import {
  advanceOperation,
  appendOperation,
  lastOperation,
  openingOperation,
  operationId,
  operationOf,
  orderIdOf,
} from '../../src/orders/operations.ts'
import type { StoredOrder } from '../../src/store-port.ts'
import { STEPS } from '../support/issuer.ts'

const OPENING = {
  orderId: '100000000000001',
  serialNumber: 'serial',
  login: 'shop',
  endpointId: '1111',
  clientOrderId: 'inv-1',
  digest: 'd',
  signedAs: undefined,
  kind: 'sale',
  amount: 1042n,
  terms: { currency: 'EUR', settleAfter: 1, holdFor: 1, payoutCheckFor: 1 },
  details: { payer: {}, addresses: {} },
  token: 'token',
  at: 5,
} as const

function sold(): StoredOrder {
  const opened = newOrder(OPENING)
  if (!opened.ok) throw new Error(opened.refusal.reason)
  return opened.order
}

const ID = '100000000000001-1'

describe('an order', () => {
  test('begins as sent if the acquirer has the card, and as created if a page asks for it', () => {
    expect(sold().operations).toMatchObject([{ id: ID, status: 'sent', token: 'token' }])
    expect(newOrder({ ...OPENING, token: undefined })).toMatchObject({
      order: { operations: [{ status: 'created', token: undefined }] },
    })
  })

  test('of zero is refused by its rule', () => {
    expect(newOrder({ ...OPENING, amount: 0n })).toMatchObject({ ok: false, refusal: { rule: 'opening-amount' } })
  })

  test('is found by the id of any of its operations', () => {
    const ids = [0, 8, 9, 99].map((index) => operationId(OPENING.orderId, index))
    expect(ids.map((id) => id.slice(OPENING.orderId.length))).toEqual(['-1', '-9', '-10', '-100'])
    expect(new Set(ids.map(orderIdOf))).toEqual(new Set([OPENING.orderId]))
  })

  test('gets an operation as sent, with what was requested and when', () => {
    const { order: before } = advanceOperation(sold(), ID, { status: 'approved', at: 7 })
    const terms = {
      action: 'return',
      at: 9,
      serialNumber: 'second',
      amount: 200n,
      currency: 'EUR',
      comment: 'torn',
    } as const
    const appended = appendOperation(before, terms)
    expect(appended).toMatchObject({ ok: true, order: { version: 3 } })
    expect(appended.ok && appended.operation).toEqual({
      id: '100000000000001-2',
      kind: 'reversal',
      amount: 200n,
      status: 'sent',
      createdAt: 9,
      statusAt: 9,
      serialNumber: 'second',
      token: 'token',
      outcome: { comment: 'torn' },
    })
    expect(appended.ok && appended.order.operations.map(({ status }) => status)).toEqual(['approved', 'sent'])
  })

  test('gets a new version with each step of an operation that the rules allow', () => {
    const { order, operation } = advanceOperation(sold(), ID, {
      status: 'processing',
      at: 7,
      outcome: { awaits: STEPS.method },
    })
    expect([order.version, operation]).toMatchObject([
      2,
      { status: 'processing', statusAt: 7, outcome: { awaits: STEPS.method } },
    ])
    const again = advanceOperation(order, ID, { status: 'processing', at: 9, outcome: { awaits: STEPS.challenge } })
    expect(again.operation).toMatchObject({ statusAt: 7, outcome: { awaits: STEPS.challenge } })
    expect(advanceOperation(order, ID, { status: 'unknown', at: 8 }).operation.outcome).toEqual({
      awaits: STEPS.method,
    })
  })

  test('never leaves a final status: that is a fault in the program', () => {
    const { order } = advanceOperation(sold(), ID, { status: 'declined', at: 7 })
    expect(() => advanceOperation(order, ID, { status: 'approved', at: 8 })).toThrow('does not become approved')
  })

  test('has only its own operations: to ask it for another is a fault in the program', () => {
    expect(() => operationOf(sold(), '2-1')).toThrow('The order 100000000000001 has no operation 2-1')
    const empty = { ...sold(), operations: [] }
    expect(() => openingOperation(empty)).toThrow('The order 100000000000001 has no operation')
    expect(() => lastOperation(empty)).toThrow('The order 100000000000001 has no operation')
  })

  test('is of an amount that was validated', () => {
    const profile = { exponents: 'always-2' } as Parameters<typeof minorUnits>[2]
    expect(minorUnits(' 10.42 ', 'EUR', profile)).toBe(1042n)
    expect(() => minorUnits('10.425', 'EUR', profile)).toThrow('The amount was not validated')
  })
})
