import { rebillOrderId as clientsRebillOrderId } from '@tallystick/client'
import { describe, expect, test } from 'vitest'
import { keyText, readRebillKey, rebillOrderId } from '../../src/intents/business-key.ts'

describe('A business key', () => {
  test('is a text, for a rebill the same for the same period', () => {
    expect(keyText('invoice 77')).toBe('invoice 77')
    expect(keyText({ profile: 'a b', period: '2026-11' })).toBe('rebill a%20b 2026-11')
    expect(() => keyText(' ')).toThrow('business key')
    expect(keyText('k'.repeat(512))).toHaveLength(512)
    expect(() => keyText('k'.repeat(513))).toThrow('1 to 512 whole characters')
  })

  test.for([
    77,
    undefined,
    null,
    {},
    { profile: 'a' },
    { profile: 'a', period: ' ' },
    { profile: 1, period: '2026-11' },
    'invoice \uD800',
    { profile: '\uDC00', period: '2026-11' },
  ])('is nothing else, even in untyped code: %o', (key) => {
    expect(() => keyText(key as never)).toThrow(TypeError)
  })

  test('that is missing is not reported as a wrong part of a rebill key', () => {
    for (const key of [undefined, null, 77])
      expect(() => keyText(key as never)).toThrow('A business key must be your own name for the payment')
  })

  test.for([
    { profile: 'sub-12', period: '2026-11' },
    { profile: 'a b/ü%20 rebill', period: '2026-W47' },
  ])('of a rebill can be read again: %o', (key) => {
    expect(readRebillKey(keyText(key))).toEqual(key)
  })

  test.for([
    'invoice 77',
    'refund 2026-11',
    'rebill',
    'rebill ',
    'rebill sub-12',
    'rebill sub-12 2026-11 again',
    'rebill  2026-11',
    'rebill %20 2026-11',
    'rebill sub-12 %E0%A4%A',
    'rebill sub%2d12 2026-11',
    'Rebill sub-12 2026-11',
    `rebill sub-12 ${'%20'.repeat(160)}`,
    `rebill ${'ü'.repeat(500)} 2026-11`,
    'rebill \uD800 2026-11',
  ])('of anything else is not read as that of a rebill: %s', (key) => {
    expect(readRebillKey(key)).toBeUndefined()
  })

  test('determines the client order id of a rebill, a different one for each attempt', () => {
    const key = { profile: 'sub-12', period: '2026-11' }
    expect(rebillOrderId(key, 1)).toMatch(/^r[0-9a-f]{32}z$/)
    expect(rebillOrderId({ ...key }, 1)).toBe(rebillOrderId(key, 1))
    expect(rebillOrderId(key, 2)).not.toBe(rebillOrderId(key, 1))
    expect(rebillOrderId({ ...key, profile: 'sub-1' }, 1)).not.toBe(rebillOrderId(key, 1))
    expect(rebillOrderId(key, 1)).toBe(clientsRebillOrderId('sub-12', '2026-11'))
  })

  test.for<readonly [key: unknown, attempt: unknown, message: string]>([
    ['sub-12', 1, "A rebill's profile"],
    [undefined, 1, "A rebill's profile"],
    [{ profile: 'sub-12' }, 1, "A rebill's period"],
    [{ profile: 'sub-12', period: '2026-11' }, undefined, 'rebillOrderId: attempt'],
    [{ profile: 'sub-12', period: '2026-11' }, '1', 'rebillOrderId: attempt'],
    ['sub-12', '2026-11', 'rebillOrderId: attempt'],
    [{ profile: 'sub-12', period: 'November' }, 1, 'period must be a year'],
    [{ profile: ' sub-12', period: '2026-11' }, 1, 'agreement must be a text without white space'],
  ])('gives no client order id, which all would share, for %o and %o', ([key, attempt, message]) => {
    expect(() => rebillOrderId(key as never, attempt as never)).toThrow(message)
  })
})
