import { describe, expect, test } from 'vitest'
import { buttonsOf, isUnderWay, standing } from '../../src/payments/rules.ts'
import type { OperationRow, ShopOrder } from '../../src/rows/order.ts'

type Done = readonly [kind: OperationRow['kind'], amount: bigint, status?: OperationRow['status']]

/** An order of 120.00 with these operations. */
function orderOf(...done: readonly Done[]): ShopOrder {
  const operations = done.map(([kind, amount, status = 'approved'], index): OperationRow => {
    const times = { createdAt: index, statusAt: index }
    return { name: `n${index}`, shopOrder: 'A', kind, amount, status, ...times, note: undefined }
  })
  const unknown = { clientOrderId: undefined, orderId: undefined, payUrl: undefined, cardRefId: undefined }
  return { id: 'A', name: 'Yew', amount: 12_000n, currency: 'EUR', createdAt: 0, ...unknown, operations }
}

test.for<readonly [state: string, ...done: readonly Done[]]>([
  ['Waiting for the payment', ['sale', 12_000n, 'sent']],
  ['Not paid', ['sale', 12_000n, 'declined']],
  ['Not paid', ['preauth', 12_000n, 'error']],
  ['Paid', ['sale', 12_000n]],
  ['Reserved', ['preauth', 12_000n]],
  ['Released', ['preauth', 12_000n], ['cancel', 12_000n]],
  ['Paid', ['preauth', 12_000n], ['capture', 8000n]],
  ['Paid', ['preauth', 12_000n], ['capture', 8000n], ['reversal', 3000n, 'declined']],
  ['Partly refunded', ['preauth', 12_000n], ['capture', 8000n], ['reversal', 3000n]],
  ['Refunded', ['sale', 12_000n], ['reversal', 12_000n]],
  ['Charged back', ['sale', 12_000n], ['chargeback', 12_000n]],
])('an order is: %s', ([state, ...done]) => {
  expect(standing(orderOf(...done)).state).toBe(state)
})

test('only a customer who has not paid is advised to order again', () => {
  expect(standing(orderOf(['sale', 12_000n, 'declined'])).advice).toMatch(/not charged/)
  expect(standing(orderOf(['sale', 12_000n, 'unknown'])).advice).toBeUndefined()
})

test('an operation is under way until its outcome is known', () => {
  expect(isUnderWay(orderOf(['preauth', 12_000n], ['capture', 8000n, 'sent']))).toBe(true)
  expect(isUnderWay(orderOf(['preauth', 12_000n], ['capture', 8000n, 'declined']))).toBe(false)
})

describe('the buttons of the back office', () => {
  const byAction = (order: ShopOrder) => Object.fromEntries(buttonsOf(order, 100).map((each) => [each.action, each]))

  test('are the actions of the merchant that need nothing but an order', () => {
    expect(Object.keys(byAction(orderOf(['sale', 12_000n]))).toSorted()).toEqual([
      'capture',
      'return',
      'store-card',
      'void',
    ])
  })

  test('say up to which amount they are allowed, or which rule forbids them', () => {
    const { capture, return: giveBack } = byAction(orderOf(['preauth', 12_000n], ['capture', 8000n]))
    expect(capture).toMatchObject({ allowed: true, kind: 'capture', upTo: 4000n, partial: true })
    expect(giveBack).toMatchObject({ allowed: true, kind: 'reversal', upTo: 8000n, partial: true })
    expect(byAction(orderOf(['sale', 12_000n]))['capture']).toMatchObject({ allowed: false, rule: 'S3-02' })
    const busy = orderOf(['preauth', 12_000n], ['capture', 8000n, 'sent'])
    expect(byAction(busy)['capture']).toMatchObject({ allowed: false, rule: 'one-in-flight' })
    expect(byAction(orderOf(['sale', 12_000n]))['store-card']).toMatchObject({ allowed: true })
    const declined = orderOf(['sale', 12_000n, 'declined'])
    expect(byAction(declined)['store-card']).toMatchObject({ allowed: false, rule: 'G3.2-15' })
  })
})
