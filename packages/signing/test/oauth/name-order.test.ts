import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { normalizeParameters, type Parameter } from '../../src/index.ts'
import { type NameOrders, noOrders, writeParameters } from '../../src/oauth/name-order.ts'
import { signedParameters } from '../../src/oauth/oauth-header.ts'
import { anyPlainText, anyText } from '../any-text.ts'
import { catchSigningError } from '../catch-signing-error.ts'

const HEADER = {
  consumerKey: 'shop',
  nonce: 'n',
  signatureMethod: 'HMAC-SHA1',
  timestamp: '1669966913',
  version: '1.0',
}
const PROTOCOL =
  'oauth_consumer_key=shop&oauth_nonce=n&oauth_signature_method=HMAC-SHA1&oauth_timestamp=1669966913&oauth_version=1.0'

const write = (orders: NameOrders, own: readonly Parameter[], header = HEADER) =>
  writeParameters(orders, own, header, () => {})

describe('writeParameters', () => {
  const isOwn = (text: string) => !text.startsWith('oauth_')
  const name = fc.oneof(
    anyText(6).filter(isOwn),
    fc.constantFrom('a', 'a b', 'A', '', '~', 'é', 'a-b', '__proto__', '\0', 'oauth', 'oauth-x', 'p', 'oauti'),
  )

  test('writes as normalizeParameters does, whether it knows the names or not, and leaves repeated ones to it', () => {
    const header = fc.record({ consumerKey: anyPlainText(12), nonce: anyPlainText(40) })
    const orders = noOrders()
    fc.assert(
      fc.property(fc.array(fc.tuple(name, anyText(40))), header, (own: Parameter[], changes) => {
        const isRepeated = new Set(own.map(([spelled]) => spelled)).size < own.length
        const all = { ...HEADER, ...changes }
        const plain = normalizeParameters([...own, ...signedParameters(all)])
        for (let time = 0; time < 2; time++) {
          expect(write(orders, own, all)).toBe(isRepeated ? undefined : plain)
        }
      }),
      { numRuns: 1000 },
    )
  })

  test("puts the protocol's parameters between the names that sort before and after them", () => {
    const own: Parameter[] = [
      ['p', '1'],
      ['oauth', '2'],
      ['o', '3'],
    ]
    expect(write(noOrders(), own)).toBe(`o=3&oauth=2&${PROTOCOL}&p=1`)
    expect(write(noOrders(), [])).toBe(PROTOCOL)
  })

  test('keeps one order for requests with the same names, and another for other names, another order and another number', () => {
    const orders = noOrders()
    for (const value of ['1', '2']) write(orders, [['a', value]])
    expect(orders.made).toHaveLength(1)
    for (const names of [['a', 'b'], ['b', 'a'], ['a', 'c'], []]) {
      write(
        orders,
        names.map((spelled): Parameter => [spelled, '']),
      )
    }
    expect(orders.made).toHaveLength(5)
  })

  test('checks names once, when it makes their order, and keeps none that is refused', () => {
    const orders = noOrders()
    const checked: unknown[] = []
    const own: Parameter[] = [['a', '1']]
    const refuse = () => {
      throw new TypeError('refused')
    }
    expect(() => writeParameters(orders, own, HEADER, refuse)).toThrow('refused')
    for (let time = 0; time < 2; time++) writeParameters(orders, own, HEADER, (names) => checked.push(names))
    expect(checked).toEqual([own])
  })

  test('keeps the names of a request and none of its values', () => {
    const orders = noOrders()
    write(orders, [
      ['b', 'secret'],
      ['a', 'secret'],
    ])
    expect(JSON.stringify(orders)).not.toContain('secret')
    expect(orders.made[0]).toMatchObject({ names: ['b', 'a'] })
  })

  test('replaces the oldest order by the newest', () => {
    const orders = noOrders()
    for (let at = 0; at < 17; at++) write(orders, [[`n${at}`, '']])
    expect(orders.made.map(({ names }) => names[0])).toEqual([
      'n16',
      ...Array.from({ length: 15 }, (_, at) => `n${at + 1}`),
    ])
  })

  test.for([
    ['a name without a UTF-8 form', [['\ud800', 'a']], 'BAD_TEXT'],
    ['a value without one', [['a', 'abcdefghij\udc00']], 'BAD_TEXT'],
    ['a name that is not a text', [[1, 'a']], 'BAD_ARGUMENT'],
    ['a value that is not a text', [['a', undefined]], 'BAD_ARGUMENT'],
  ] as const)('refuses %s', ([, own, code]) => {
    expect(catchSigningError(() => write(noOrders(), own as unknown as readonly Parameter[])).code).toBe(code)
  })
})
