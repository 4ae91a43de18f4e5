import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { replayGuard } from '../../src/index.ts'
import { FingerprintShards } from '../../src/replay/fingerprint-shards.ts'
import { halfSipHash } from '../../src/replay/half-sip-hash.ts'
import { catchSigningError } from '../catch-signing-error.ts'
import { plainGuard } from './plain-guard.ts'

const secret = Uint8Array.of(0, 1, 2, 3, 4, 5, 6, 7)
const now = 1_669_966_913
const used = { consumerKey: 'merchantlogin', nonce: 'y3qlvMPky7g', timestamp: now }

describe('replayGuard', () => {
  test('[G13-04] lets a nonce pass once', () => {
    const guard = replayGuard({ secret })
    expect(guard.burn(used, now)).toBe(true)
    expect(guard.burn(used, now)).toBe(false)
    expect(guard.burn(used, now + 300)).toBe(false)
  })

  test('[G13-04] tells consumers, timestamps and nonces apart', () => {
    const guard = replayGuard({ secret })
    guard.burn(used, now)
    expect(guard.burn({ ...used, consumerKey: 'other' }, now)).toBe(true)
    expect(guard.burn({ ...used, timestamp: now + 1 }, now)).toBe(true)
    expect(guard.burn({ ...used, nonce: 'y3qlvMPky7h' }, now)).toBe(true)
    expect(guard.burn({ ...used, consumerKey: 'merchantloginy', nonce: '3qlvMPky7g' }, now)).toBe(true)
  })

  test('[G13-04] refuses what is outside the window, which it cannot vouch for', () => {
    const guard = replayGuard({ secret })
    expect(guard.burn({ ...used, timestamp: now - 301 }, now)).toBe(false)
    expect(guard.burn({ ...used, timestamp: now + 301 }, now)).toBe(false)
    expect(guard.burn({ ...used, timestamp: now - 300 }, now)).toBe(true)
    expect(guard.burn({ ...used, timestamp: now + 300 }, now)).toBe(true)
  })

  test('refuses, and does not forget, when the clock is set back', () => {
    const guard = replayGuard({ secret, windowSeconds: 10 })
    guard.burn(used, now)
    guard.burn({ ...used, nonce: 'later' }, now + 11)
    expect(guard.burn(used, now)).toBe(false)
    expect(guard.burn({ ...used, nonce: 'fresh' }, now)).toBe(false)
  })

  test('refuses everything beyond its limit until a second has passed out of the window', () => {
    const guard = replayGuard({ secret, windowSeconds: 10, maxNonces: 2 })
    const burn = (nonce: string, at: number) => guard.burn({ ...used, nonce, timestamp: at }, at)
    expect([burn('a', now), burn('b', now), burn('c', now)]).toEqual([true, true, false])
    expect([burn('d', now + 11), burn('e', now + 11), burn('f', now + 11)]).toEqual([true, true, false])
    expect(burn('g', now + 1_000_000)).toBe(true)
  })

  test('says the same as a plain map of texts, whatever comes and however the clock goes', () => {
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
          const burnt = { ...nonce, timestamp: Math.floor(clock) + late }
          expect(guard.burn(burnt, clock)).toBe(plain.burn(burnt, clock))
        }
      }),
    )
  })

  test.for([
    ['a secret that is too short', { secret: secret.slice(1) }],
    ['a secret that is a text', { secret: 'secretss' as unknown as Uint8Array }],
    ['no window', { secret, windowSeconds: 0 }],
    ['an endless window', { secret, windowSeconds: Number.POSITIVE_INFINITY }],
    ['no room', { secret, maxNonces: 0 }],
  ] as const)('refuses %s', ([, options]) => {
    expect(catchSigningError(() => replayGuard(options)).code).toBe('BAD_ARGUMENT')
  })

  test.for([
    [now + 0.5, now],
    [now, Number.NaN],
  ] as const)('refuses the times %s and %s', ([timestamp, at]) => {
    expect(catchSigningError(() => replayGuard({ secret }).burn({ ...used, timestamp }, at)).code).toBe('BAD_ARGUMENT')
  })
})

describe('halfSipHash', () => {
  /** From vectors.h of the reference implementation: bytes 0, 1, 2... under the key 0 to 7. */
  test.for([
    [0, '218d1f59b9b83cc8'],
    [2, '064f39ef7c50eb57'],
    [4, 'd5e78a175be52ea1'],
    [6, 'ce3e91358aa2bc25'],
    [8, 'edfee820bce4858c'],
    [10, '95b0469f06a6f2ee'],
    [12, '7bc71f9faef5c799'],
    [62, 'f90b3ab572d46693'],
  ] as const)('gives 53 bits of the published hash of %i bytes', ([length, published]) => {
    const text = Buffer.from(Array.from({ length }, (_, at) => at)).toString('utf16le')
    const bytes = Buffer.from(published, 'hex')
    const expected = (bytes.readUInt32LE(0) & 0x1fffff) * 2 ** 32 + bytes.readUInt32LE(4)
    expect(halfSipHash([0x03020100, 0x07060504], text)).toBe(expected)
  })

  test('gives other numbers under another key', () => {
    expect(halfSipHash([0, 0], 'nonce')).not.toBe(halfSipHash([0, 1], 'nonce'))
  })
})

describe('FingerprintShards', () => {
  test('keeps every fingerprint while it grows', () => {
    const fingerprints = Array.from({ length: 20_000 }, (_, at) => halfSipHash([0, 0], String(at)))
    const shards = new FingerprintShards()
    expect(fingerprints.filter((fingerprint) => !shards.add(fingerprint))).toEqual([])
    expect(fingerprints.filter((fingerprint) => shards.add(fingerprint))).toEqual([])
    expect(shards.size).toBe(20_000)
  })

  test('is a set of numbers, whatever grows and collides in it', () => {
    const crowded = fc.nat({ max: 200 }).map((low) => low + 1)
    const spread = fc.integer({ min: 1, max: 2 ** 53 - 1 })
    const collident = fc
      .tuple(fc.nat({ max: 0x1fffff }), fc.constantFrom(1, 17, 33))
      .map(([high, low]) => high * 2 ** 32 + low)
    fc.assert(
      fc.property(fc.array(fc.oneof(crowded, spread, collident), { maxLength: 500, size: 'max' }), (fingerprints) => {
        const [shards, reference] = [new FingerprintShards(), new Set<number>()]
        for (const fingerprint of fingerprints) {
          expect(shards.add(fingerprint)).toBe(!reference.has(fingerprint))
          reference.add(fingerprint)
          expect(shards.size).toBe(reference.size)
        }
      }),
    )
  })
})
