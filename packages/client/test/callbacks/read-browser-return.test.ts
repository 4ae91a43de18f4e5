import { describe, expect, test } from 'vitest'
import { readBrowserReturn } from '../../src/callbacks/return-handler.ts'

const back = { status: 'approved', orderid: '1', client_orderid: 'a', merchant_order: 'a', control: 'anything' }
const text = (changes: Readonly<Record<string, string>> = {}) => new URLSearchParams({ ...back, ...changes }).toString()

describe('A browser that comes back names its order', () => {
  test.each([
    ['by POST, as an unread form', { method: 'POST', query: '', body: text() }],
    ['by POST, as a body parser left it', { method: 'POST', query: '', body: back }],
    ['by GET', { method: 'GET', query: text() }],
    ['with the literal text null for an error', { method: 'POST', query: '', body: text({ error_message: 'null' }) }],
  ])('%s', (_how, inbound) => {
    expect(readBrowserReturn(inbound)).toBe('a')
  })

  test.each([
    ['nothing', ''],
    ['half of the fields', 'status=approved'],
    ['a name twice', `${text()}&client_orderid=b`],
    ['two orders', text({ merchant_order: 'b' })],
  ])('or none, with %s', (_what, body) => {
    expect(readBrowserReturn({ method: 'POST', query: '', body })).toBeUndefined()
  })

  test('and the error of a body that cannot be read is passed on', () => {
    const body = {
      get status(): string {
        throw new TypeError('lazy parser')
      },
    }
    expect(() => readBrowserReturn({ method: 'POST', query: '', body })).toThrow('lazy parser')
  })
})
