import { describe, expect, test } from 'vitest'
import { FingerprintSet } from '../../src/replay/fingerprint-set.ts'

describe('FingerprintSet', () => {
  test('is full with four fifths of 4,096 slots in use, and not before', () => {
    const set = FingerprintSet.empty()
    let count = 0
    for (; !set.isFull && count < 5000; count++) expect(set.add(count + 1)).toBe(true)
    expect(count).toBe(3276)
    expect(set.add(5000)).toBe(true)
    expect(set.isFull).toBe(true)
  })

  test('is not filled by what it has', () => {
    const set = FingerprintSet.empty()
    for (let count = 0; count < 5000; count++) set.add(1)
    expect(set.isFull).toBe(false)
  })

  test('deals its fingerprints out by one bit', () => {
    const set = FingerprintSet.empty()
    for (const fingerprint of [1, 4, 5, 9, 12]) set.add(fingerprint)
    const [lower, upper] = set.split(4)
    expect([1, 9, 4, 5, 12].map((fingerprint) => lower.add(fingerprint))).toEqual([false, false, true, true, true])
    expect([4, 5, 12, 1, 9].map((fingerprint) => upper.add(fingerprint))).toEqual([false, false, false, true, true])
  })

  test('is small while it holds little', () => {
    const before = process.memoryUsage().arrayBuffers
    const sets = Array.from({ length: 1000 }, () => FingerprintSet.empty())
    for (const set of sets) for (let count = 1; count < 14; count++) set.add(count)
    // A thousand times 16 and 32 numbers of 8 bytes.
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1_000_000)
  })
})
