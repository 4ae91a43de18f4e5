import { describe, expect, test } from 'vitest'
import { lastCheckAt, notLaterThanWoken } from '../../src/status/poll.ts'
import { isOfOrder } from '../../src/status/status-result.ts'
import { intentWith } from '../intents.ts'

describe('The next status check', () => {
  test.each([
    ['no callback came', undefined, undefined, 9000, 9000],
    ['a callback came before the question', 99, 99, 9000, 9000],
    ['the first callback came since', undefined, 150, 9000, 2100],
    ['one came since, by a clock that is behind', 99, 98, 9000, 2100],
    ['one came since, and nothing was planned', 99, 150, undefined, 2100],
    ['one came since, and it is planned sooner', 99, 150, 1000, 1000],
  ])('if %s', (_what, before, wokenAt, planned, expected) => {
    const asked = { intent: intentWith({ wokenAt: before }), since: 100 }
    expect(notLaterThanWoken(intentWith({ wokenAt }), asked, planned)).toBe(expected)
  })

  test.each([
    ['was a moment ago', 4000, 4000],
    ['was by a clock that is a little ahead', 8000, 8000],
    ['was before the clock was set back', 8001, Number.NEGATIVE_INFINITY],
    ['never was', undefined, Number.NEGATIVE_INFINITY],
  ])('depends on the last one, which %s', (_what, lookedAt, expected) => {
    expect(lastCheckAt(intentWith({ lookedAt }), 5000)).toBe(expected)
  })
})

test('A return under the same client order id belongs to a payment if the order id is the same, or not known yet', () => {
  const refund = intentWith({ kind: 'modification', orderId: '9' })
  const isOf = (orderId: string | undefined) => isOfOrder(refund, intentWith({ orderId }))
  expect([isOf('9'), isOf('8'), isOf(undefined)]).toEqual([true, false, true])
})
