import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FingerprintShards } from '../../src/replay/fingerprint-shards.ts'

const END = 2 ** 53

/** Adds each of them twice: what was said the first time, and the second. */
function addTwice(fingerprints: readonly number[]) {
  const shards = new FingerprintShards()
  const first = fingerprints.map((fingerprint) => shards.add(fingerprint))
  const second = fingerprints.map((fingerprint) => shards.add(fingerprint))
  return { first: new Set(first), second: new Set(second), size: shards.size }
}

describe('FingerprintShards', () => {
  /** So many, all different, evenly spread over the numbers below `end`, in no order: the factor is odd. */
  const spread = (count: number, end: number) =>
    Array.from({ length: count }, (_, at) => 1 + ((at * 7919) % count) * Math.floor(end / count))

  test.for([
    ['one shard', 3000, END],
    ['shards that were split often', 200_000, END],
    ['shards that were split on one side only', 20_000, END / 64],
  ] as const)('keeps every fingerprint in %s', ([, count, end]) => {
    const fingerprints = spread(count, end)
    expect(addTwice(fingerprints)).toEqual({ first: new Set([true]), second: new Set([false]), size: count })
  })

  test('keeps every fingerprint of the upper half while the lower one is a single shard', () => {
    const fingerprints = spread(20_000, END / 2).map((fingerprint) => fingerprint + END / 2)
    expect(addTwice([1, ...fingerprints]).size).toBe(20_001)
    expect(addTwice([...fingerprints, END - 1]).second).toEqual(new Set([false]))
  })

  test('is a set of numbers, whatever grows and collides in it', () => {
    const crowded = fc.nat({ max: 200 }).map((low) => low + 1)
    const evenly = fc.integer({ min: 1, max: END - 1 })
    const collident = fc
      .tuple(fc.nat({ max: 0x1fffff }), fc.constantFrom(1, 17, 33))
      .map(([high, low]) => high * 2 ** 32 + low)
    fc.assert(
      fc.property(fc.array(fc.oneof(crowded, evenly, collident), { maxLength: 500, size: 'max' }), (fingerprints) => {
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
