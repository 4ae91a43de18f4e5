import { describe, expect, test } from 'vitest'
import { retryAfterMs } from '../../src/callbacks/retry.ts'

/** Ten seconds before the date of the examples in RFC 9110 section 5.6.7. */
const BEFORE = Date.parse('1994-11-06T08:49:27.000Z')

describe('Retry-After (RFC 9110 section 10.2.3)', () => {
  test.for(['Sun, 06 Nov 1994 08:49:37 GMT', 'Sunday, 06-Nov-94 08:49:37 GMT', 'Sun Nov  6 08:49:37 1994'])(
    'is a date in one of three forms: %s',
    (date) => {
      expect(retryAfterMs(date, BEFORE)).toBe(10_000)
      expect(retryAfterMs(` ${date} `, BEFORE)).toBe(10_000)
    },
  )

  test('is a number of seconds', () => {
    expect([retryAfterMs('120', BEFORE), retryAfterMs('0', BEFORE), retryAfterMs('007', BEFORE)]).toEqual([
      120_000, 0, 7000,
    ])
  })

  test('may ask for more than any number holds', () => {
    expect(retryAfterMs('9'.repeat(400), BEFORE)).toBe(Number.POSITIVE_INFINITY)
  })

  test('reads two digits of a year as the nearest that is at most 50 years ahead', () => {
    const in2030 = Date.UTC(2030, 0, 1)
    expect(retryAfterMs('Tuesday, 01-Jan-80 00:00:00 GMT', in2030)).toBe(Date.UTC(2080, 0, 1) - in2030)
    expect(retryAfterMs('Thursday, 01-Jan-81 00:00:00 GMT', in2030)).toBe(0)
    expect(retryAfterMs('Sunday, 06-Nov-94 08:49:37 GMT', in2030)).toBe(0)
  })

  test.for([
    undefined,
    '',
    'soon',
    '-5',
    '1.5',
    '1e3',
    '0x10',
    '+5',
    '5 s',
    'Sun, 06 Now 1994 08:49:37 GMT',
    'Sun, 06 Nov 1994 08:49:37',
    'Sun, 06 Nov 1994 08:49:37 CET',
    '1994-11-06T08:49:37Z',
    'Sun, 06 Nov 1993 08:49:37 GMT',
  ])('asks for nothing when it is %s', (value) => {
    expect(retryAfterMs(value, BEFORE)).toBe(0)
  })
})
