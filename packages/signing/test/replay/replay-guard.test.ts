import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { replayGuard } from '../../src/index.ts'
import { catchSigningError } from '../catch-signing-error.ts'
import { collectGarbage } from './collect-garbage.ts'
import { plainGuard } from './plain-guard.ts'

const secret = Uint8Array.of(0, 1, 2, 3, 4, 5, 6, 7)
const now = 1_669_966_913
const used = { consumerKey: 'merchantlogin', nonce: 'y3qlvMPky7g', timestamp: now }

/** The bytes in use after a garbage collection. */
function memory(): number {
  collectGarbage()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

describe('replayGuard', () => {
  test('[G13-04] lets a nonce pass once', () => {
    const guard = replayGuard({ secret })
    expect(guard.consume(used, now)).toBe(true)
    expect(guard.consume(used, now)).toBe(false)
    expect(guard.consume(used, now + 300)).toBe(false)
  })

  test('[G13-04] distinguishes consumers, timestamps and nonces', () => {
    const guard = replayGuard({ secret })
    guard.consume(used, now)
    expect(guard.consume({ ...used, consumerKey: 'other' }, now)).toBe(true)
    expect(guard.consume({ ...used, timestamp: now + 1 }, now)).toBe(true)
    expect(guard.consume({ ...used, nonce: 'y3qlvMPky7h' }, now)).toBe(true)
    expect(guard.consume({ ...used, consumerKey: 'merchantloginy', nonce: '3qlvMPky7g' }, now)).toBe(true)
  })

  test('[G13-04] refuses a timestamp outside the window, for which it cannot vouch', () => {
    const guard = replayGuard({ secret })
    expect(guard.consume({ ...used, timestamp: now - 301 }, now)).toBe(false)
    expect(guard.consume({ ...used, timestamp: now + 301 }, now)).toBe(false)
    expect(guard.consume({ ...used, timestamp: now - 300 }, now)).toBe(true)
    expect(guard.consume({ ...used, timestamp: now + 300 }, now)).toBe(true)
  })

  test.for([
    ['an hour', 3600],
    ['ten years', 315_576_000],
  ] as const)(
    '[F-A13] accepts fresh nonces and no used one after the clock was %s ahead, again and again',
    ([, ahead]) => {
      const guard = replayGuard({ secret })
      for (let round = 0; round < 5; round++) {
        const at = now + 10 * round
        const each = { ...used, nonce: `n${round}`, timestamp: at }
        expect(guard.consume(each, at)).toBe(true)
        for (let load = 0; load < 2000; load++) {
          const second = at + ahead + (load % 10)
          expect(guard.consume({ ...used, nonce: `wrong ${round} ${load}`, timestamp: second }, second)).toBe(true)
        }
        expect(guard.consume(each, at + 5)).toBe(false)
        expect(guard.consume({ ...each, nonce: `late ${round}`, timestamp: at - 60 }, at + 5)).toBe(true)
        expect(guard.consume({ ...used, nonce: `wrong ${round} 3`, timestamp: at + ahead + 3 }, at + ahead)).toBe(false)
      }
    },
  )

  test('[F-A13] accepts no used nonce of a second that it had to forget, if the clock is set back to it', () => {
    const guard = replayGuard({ secret, windowSeconds: 10 })
    const consume = (nonce: string, at: number) => guard.consume({ ...used, nonce, timestamp: at }, at)
    for (let at = now; at < now + 70_000; at++) expect(consume('a', at)).toBe(true)
    for (const at of [now, now + 1, now + 4000, now + 69_999]) expect(consume('a', at)).toBe(false)
    expect(consume('b', now + 69_990)).toBe(true)
    expect(consume('b', now)).toBe(false)
  })

  test('refuses everything beyond its limit until a second has passed out of the window', () => {
    const guard = replayGuard({ secret, windowSeconds: 10, maxNonces: 2 })
    const consume = (nonce: string, at: number) => guard.consume({ ...used, nonce, timestamp: at }, at)
    expect([consume('a', now), consume('b', now), consume('c', now)]).toEqual([true, true, false])
    expect([consume('d', now + 11), consume('e', now + 11), consume('f', now + 11)]).toEqual([true, true, false])
    expect(consume('g', now + 1_000_000)).toBe(true)
  })

  test('counts no refused or expired nonce towards its limit', () => {
    const guard = replayGuard({ secret, windowSeconds: 10, maxNonces: 2 })
    const consume = (nonce: string, timestamp: number, at: number) => guard.consume({ ...used, nonce, timestamp }, at)
    expect([consume('a', now, now), consume('a', now, now), consume('b', now + 10, now)]).toEqual([true, false, true])
    const later = now + 1_000_000
    expect([consume('a', later, later), consume('b', later, later), consume('c', later, later)]).toEqual([
      true,
      true,
      false,
    ])
  })

  test('stores few expired seconds', () => {
    const guard = replayGuard({ secret, windowSeconds: 10 })
    const consumeSeconds = (from: number) => {
      for (let at = from; at < from + 80_000; at++) guard.consume({ ...used, timestamp: at }, at)
      return memory()
    }
    const before = consumeSeconds(now)
    // A second that is stored takes 128 bytes for its slots alone.
    expect(consumeSeconds(now + 80_000) - before).toBeLessThan(128 * 80_000)
  })

  test('answers like a plain map of texts, whatever comes and however the clock moves', () => {
    const event = fc.record({
      consumerKey: fc.constantFrom('a', 'ab', ''),
      nonce: fc.constantFrom('b', 'bb', 'ab', '', 'é', '😀'),
      late: fc.integer({ min: -12, max: 12 }),
      step: fc.oneof(fc.nat({ max: 3 }), fc.constantFrom(-4, 0.5, 9, 25, 100_000)),
    })
    fc.assert(
      fc.property(fc.array(event, { maxLength: 200 }), (events) => {
        const [guard, plain] = [replayGuard({ secret, windowSeconds: 10 }), plainGuard(10)]
        let clock = now
        for (const { late, step, ...nonce } of events) {
          clock += step
          const consumed = { ...nonce, timestamp: Math.floor(clock) + late }
          expect(guard.consume(consumed, clock)).toBe(plain.consume(consumed, clock))
        }
      }),
    )
  })

  test.for([
    ['a secret that is too short', { secret: secret.slice(1) }, /^the secret must be 8 bytes/],
    ['no window', { secret, windowSeconds: 0 }, /^windowSeconds must be a number/],
    ['an endless window', { secret, windowSeconds: Number.POSITIVE_INFINITY }, /^windowSeconds must be a number/],
    ['no room', { secret, maxNonces: 0 }, /^maxNonces must be a whole number/],
    ['room for half a nonce', { secret, maxNonces: 0.5 }, /^maxNonces must be a whole number/],
  ] as const)('refuses %s', ([, options, message]) => {
    const error = catchSigningError(() => replayGuard(options))
    expect(error.code).toBe('BAD_ARGUMENT')
    expect(error.message).toMatch(message)
  })

  test.for([
    [now + 0.5, now],
    [now, Number.NaN],
  ] as const)('refuses the times %s and %s', ([timestamp, at]) => {
    const error = catchSigningError(() => replayGuard({ secret }).consume({ ...used, timestamp }, at))
    expect(error.code).toBe('BAD_ARGUMENT')
    expect(error.message).toMatch(/^timestamp and now must be seconds since 1970/)
  })
})
