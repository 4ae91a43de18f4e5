import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Attempt, afterAttempt, putOff, resend } from '../../src/callbacks/retry.ts'
import type { Delivery } from '../../src/store/delivery.ts'
import { delivery } from './delivery-desk.ts'

const FORTNIGHT_MS = 1_209_600_000

const attempt = (given: Partial<Attempt> = {}): Attempt => ({
  begunAt: 1000,
  answer: { status: 500 },
  now: 1200,
  fraction: 0.5,
  ...given,
})

describe('the answer of a shop', () => {
  test('[G6-03] 200 acknowledges', () => {
    expect(afterAttempt(delivery(), attempt({ answer: { status: 200 } }))).toEqual(
      delivery({ made: 1, firstAt: 1000, state: 'acknowledged', lastAnswer: '200', dueAt: undefined }),
    )
  })

  test('410 ends it', () => {
    expect(afterAttempt(delivery(), attempt({ answer: { status: 410, retryAfter: '5' } }))).toEqual(
      delivery({ made: 1, firstAt: 1000, state: 'refused', lastAnswer: '410', dueAt: undefined, givenUpAt: 1200 }),
    )
  })

  test.for([201, 202, 204, 301, 302, 303, 307, 308, 400, 401, 404, 429, 500, 503])(
    '[G6-03] %i does not acknowledge',
    (status) => {
      expect(afterAttempt(delivery(), attempt({ answer: { status } }))).toEqual(
        delivery({ made: 1, firstAt: 1000, dueAt: 6200, lastAnswer: String(status) }),
      )
    },
  )

  test('no answer does not, and the reason is stored', () => {
    expect(afterAttempt(delivery(), attempt({ answer: { reason: 'ECONNREFUSED' } }))).toEqual(
      delivery({ made: 1, firstAt: 1000, dueAt: 6200, lastAnswer: 'ECONNREFUSED' }),
    )
  })

  test('the fourteen days begin with the first attempt, and later attempts do not change that', () => {
    const second = afterAttempt(delivery({ made: 1, firstAt: 7 }), attempt())
    expect(second).toMatchObject({ made: 2, firstAt: 7, dueAt: 1200 + 15_000 })
  })
})

describe('Retry-After', () => {
  const after = (retryAfter: string, before = delivery()) =>
    afterAttempt(before, attempt({ answer: { status: 503, retryAfter } })).dueAt

  test('puts the next attempt off', () => {
    expect(after('120')).toBe(1200 + 120_000)
    expect(after('Thu, 01 Jan 1970 00:02:00 GMT')).toBe(120_000)
  })

  test('never makes it earlier than the schedule', () => {
    expect([after('1'), after('0'), after('Thu, 01 Jan 1970 00:00:02 GMT'), after('soon')]).toEqual(Array(4).fill(6200))
  })

  test('never leaves the fourteen days', () => {
    expect([after('9999999'), after('9'.repeat(400)), after('Fri, 31 Dec 9999 23:59:59 GMT')]).toEqual(
      Array(3).fill(1000 + FORTNIGHT_MS),
    )
  })
})

describe('putting off', () => {
  test('does not count as an attempt', () => {
    const before = delivery({ made: 3, firstAt: 5, lastAnswer: '500' })
    expect(putOff(before, 60_000, 1000)).toEqual({ ...before, dueAt: 60_000 })
  })

  test('never leaves the fourteen days from the first attempt', () => {
    expect(putOff(delivery({ firstAt: 9000 }), Number.MAX_VALUE, 10_000).dueAt).toBe(9000 + FORTNIGHT_MS)
  })

  test('does not count the days in which it was never sent', () => {
    const now = 3 * FORTNIGHT_MS
    expect(putOff(delivery({ createdAt: 70 }), now + 1, now)).toEqual(delivery({ createdAt: 70, dueAt: now + 1 }))
  })

  test('gives up when they are over', () => {
    const now = FORTNIGHT_MS
    const begun = { made: 4, firstAt: 0, lastAnswer: '503' }
    expect(putOff(delivery(begun), now + 1, now)).toEqual(
      delivery({ ...begun, state: 'given-up', dueAt: undefined, givenUpAt: now }),
    )
    expect(putOff(delivery(begun), now + 1, now - 1)).toMatchObject({ state: 'open', dueAt: now })
  })
})

describe('sending again by hand', () => {
  test('makes an open delivery due now, and changes nothing else', () => {
    const open = delivery({ made: 4, firstAt: 10, dueAt: 99_999, lastAnswer: '500' })
    expect(resend(open, 500)).toEqual({ ...open, dueAt: 500 })
  })

  test.for(['acknowledged', 'refused', 'given-up'] as const)('makes one that is %s due once more', (state) => {
    const now = 3 * FORTNIGHT_MS
    const again = resend(delivery({ made: 30, firstAt: 10, dueAt: undefined, state }), now)
    expect(again).toMatchObject({ state: 'open', dueAt: now, made: 30 })
    expect(putOff(again, now + 1, now)).toMatchObject({ state: 'open', dueAt: now + 1 })
    expect(afterAttempt(again, attempt({ begunAt: now, now }))).toMatchObject({ state: 'given-up', made: 31 })
    expect(afterAttempt(again, attempt({ begunAt: now, now, answer: { status: 200 } })).state).toBe('acknowledged')
  })

  test('goes on by the schedule when it had attempts left', () => {
    const now = 3 * FORTNIGHT_MS
    const again = resend(delivery({ made: 1, firstAt: 10, state: 'acknowledged' }), now)
    expect(afterAttempt(again, attempt({ begunAt: now, now }))).toMatchObject({ state: 'open', dueAt: now + 15_000 })
  })
})

describe('whatever shops answer and clocks say', () => {
  const seconds = fc.nat({ max: 3_000_000 })
  const answers = fc.oneof(
    fc.record({ reason: fc.constantFrom('ECONNREFUSED', 'address not allowed') }),
    fc.record({ status: fc.integer({ min: 100, max: 999 }) }),
    fc.record({
      status: fc.constantFrom(429, 503),
      retryAfter: fc.oneof(
        fc.nat({ max: 10 ** 9 }).map(String),
        fc.string(),
        fc.constant('Sat, 01 Jan 2000 00:00:00 GMT'),
      ),
    }),
  )
  const steps = fc.array(fc.record({ answer: answers, lateSeconds: seconds, isPutOff: fc.boolean() }), {
    minLength: 1,
    maxLength: 60,
  })
  const fractions = fc.double({ min: 0, max: 1, noNaN: true })

  test('[G6-03] [G13-03] a delivery ends in 30 attempts and fourteen days, and is due exactly while it is open', () => {
    fc.assert(
      fc.property(steps, fractions, (given, fraction) => {
        let now = 50
        let row: Delivery = delivery({ createdAt: 50, dueAt: 50 })
        for (const { answer, lateSeconds, isPutOff } of given) {
          if (row.state !== 'open') break
          const before = row
          now = Math.max(now, row.dueAt ?? 0) + (isPutOff ? lateSeconds * 1000 : 0)
          row = isPutOff
            ? putOff(before, now + lateSeconds, now)
            : afterAttempt(before, { begunAt: now, answer, now: now + 20, fraction })
          expect(row.made).toBe(before.made + (isPutOff ? 0 : 1))
          expect(row.dueAt !== undefined).toBe(row.state === 'open')
          expect(row.dueAt ?? 0).toBeLessThanOrEqual((row.firstAt ?? Number.POSITIVE_INFINITY) + FORTNIGHT_MS)
          expect(Number.isInteger(row.dueAt ?? 0)).toBe(true)
          expect(row.state === 'acknowledged').toBe(!isPutOff && 'status' in answer && answer.status === 200)
          expect(row.state === 'refused').toBe(!isPutOff && 'status' in answer && answer.status === 410)
          if (row.state === 'open' && !isPutOff) expect(row.dueAt).toBeGreaterThan(now)
        }
        expect(row.made).toBeLessThanOrEqual(30)
        const { id, orderId, url } = delivery()
        expect(row).toMatchObject({ id, orderId, url, createdAt: 50 })
      }),
    )
  })
})
