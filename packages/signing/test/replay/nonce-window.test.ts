import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FingerprintSet } from '../../src/replay/nonce-window.ts'
import { collectGarbage } from './collect-garbage.ts'

const END = 2 ** 53

/** Different numbers, evenly spread below `end` and out of order: 7919 is a prime that divides none of the counts. */
function spread(count: number, end: number): number[] {
  return Array.from({ length: count }, (_, at) => 1 + ((at * 7919) % count) * Math.floor(end / count))
}

/** The bytes of all arrays in use. Only a second collection waits until the first one has given its arrays back. */
function arrayBytes(): number {
  collectGarbage()
  collectGarbage()
  return process.memoryUsage().arrayBuffers
}

describe('FingerprintSet', () => {
  test.for([
    ['a small set', 3000, END],
    ['a set that is being moved', 2868, END],
    ['a set that was moved often', 200_000, END],
    ['a set whose fingerprints are side by side', 20_000, 20_000],
  ] as const)('keeps every fingerprint in %s', ([, count, end]) => {
    const set = new FingerprintSet()
    const fingerprints = spread(count, end)
    expect(new Set(fingerprints.map((fingerprint) => set.add(fingerprint)))).toEqual(new Set([true]))
    expect(set.size).toBe(count)
    expect(new Set(fingerprints.map((fingerprint) => set.add(fingerprint)))).toEqual(new Set([false]))
    expect(set.size).toBe(count)
  })

  test('finds all members at every size, even those that are yet to be moved', () => {
    const set = new FingerprintSet()
    const fingerprints = spread(30_000, END)
    for (const [at, fingerprint] of fingerprints.entries()) {
      expect(set.add(fingerprint)).toBe(true)
      expect(set.add(fingerprints[(at * 31) % (at + 1)] as number)).toBe(false)
    }
  })

  test('is a set of numbers, whatever collides in it', () => {
    const crowded = fc.nat({ max: 200 }).map((low) => low + 1)
    const evenly = fc.integer({ min: 1, max: END - 1 })
    const collident = fc
      .tuple(fc.nat({ max: 0x1fffff }), fc.constantFrom(1, 17, 33))
      .map(([high, low]) => high * 2 ** 32 + low)
    fc.assert(
      fc.property(fc.array(fc.oneof(crowded, evenly, collident), { maxLength: 500, size: 'max' }), (fingerprints) => {
        const [set, reference] = [new FingerprintSet(), new Set<number>()]
        for (const fingerprint of fingerprints) {
          expect(set.add(fingerprint)).toBe(!reference.has(fingerprint))
          reference.add(fingerprint)
          expect(set.size).toBe(reference.size)
        }
      }),
    )
  })

  test('never adds the mark of a free slot', () => {
    const set = new FingerprintSet()
    expect(set.add(0)).toBe(false)
    expect(set.size).toBe(0)
  })

  test.for([
    ['10 of 16 slots, before it grows', 10, 16],
    ['11 of 32', 11, 32],
    ['2,866 of 4,096', 2866, 4096],
    ['2,867 of 8,192, moved at once', 2867, 8192],
    ['40,000 of 65,536, moved one by one', 40_000, 65_536],
  ] as const)('takes eight bytes for each slot: %s', ([, count, slots]) => {
    const sets = 20
    const fingerprints = spread(count, END)
    const before = arrayBytes()
    const kept = Array.from({ length: sets }, () => new FingerprintSet())
    for (const set of kept) for (const fingerprint of fingerprints) set.add(fingerprint)
    expect((arrayBytes() - before) / sets).toBe(slots * 8)
    expect(kept).toHaveLength(sets)
  })
})
