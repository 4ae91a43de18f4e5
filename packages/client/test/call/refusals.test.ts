import { expect, test } from 'vitest'
import { textSaysNoSuchOrder } from '../../src/call/refusals.ts'

test.each([
  'No such order',
  'Unknown transaction',
  'Order not found',
  'There is no order of this client_orderid and orderid.',
  'Order with client_orderid inv-1 was not found',
  'Transaction 7a-81 does not exist',
  'order 902B4FF5 is unknown',
])('these words say that there is no such order: %s', (words) => {
  expect(textSaysNoSuchOrder(words)).toBe(true)
})

test.each([
  'Merchant not found for order 12',
  'order is not found: access denied',
  ...[
    'merchant',
    'login',
    'endpoint',
    'end point',
    'end-point',
    'project',
    'control',
    'signature',
    'key',
    'credentials',
  ].flatMap((what) => [`There is no order of this ${what}`, `Order not found, wrong ${what}`]),
  ...['no permission', 'not permitted', 'not allowed', 'forbidden'].map((why) => `Unknown order: ${why}`),
  'Order declined',
  'order approved unknown',
  'Order not found \ufffd\ufffd\ufffd',
  '',
])('these words may say something else: %s', (words) => {
  expect(textSaysNoSuchOrder(words)).toBe(false)
})

test.each([`order ${'1'.repeat(900_000)}`, 'order with '.repeat(80_000), 'order 1-'.repeat(100_000)])(
  'words of nearly a megabyte are read before a test times out',
  (words) => {
    expect(textSaysNoSuchOrder(words)).toBe(false)
  },
)
