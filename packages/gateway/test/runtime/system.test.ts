import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { randomFraction, randomIds, randomSecret, systemClock } from '../../src/runtime/system.ts'

describe("the system's clock", () => {
  beforeEach(() => void vi.useFakeTimers({ now: 1_893_456_000_000 }))
  afterEach(() => void vi.useRealTimers())

  test('returns milliseconds since 1970', () => {
    expect(systemClock.now()).toBe(1_893_456_000_000)
  })

  test('runs a task once, when it is due', () => {
    const ran: number[] = []
    systemClock.schedule(1000, () => void ran.push(systemClock.now()))
    vi.advanceTimersByTime(999)
    expect(ran).toEqual([])
    vi.advanceTimersByTime(5000)
    expect(ran).toEqual([1_893_456_001_000])
  })

  test('does not run what was cancelled', () => {
    const ran: string[] = []
    systemClock.schedule(1000, () => void ran.push('ran'))()
    vi.advanceTimersByTime(5000)
    expect(ran).toEqual([])
  })
})

describe('randomness', () => {
  const thousand = <T>(make: () => T): T[] => Array.from({ length: 1000 }, make)

  test('[G13-11] order ids have 15 digits without a leading zero', () => {
    const ids = thousand(randomIds.orderId)
    expect(ids.filter((id) => !/^9\d{14}$/.test(id))).toEqual([])
    expect(new Set(ids).size).toBe(1000)
    expect(new Set(ids.map((id) => id[1])).size).toBe(10)
  })

  test('[G13-11] serial numbers are UUIDs', () => {
    const numbers = thousand(randomIds.serialNumber)
    const uuid = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/
    expect(numbers.filter((number) => !uuid.test(number))).toEqual([])
    expect(new Set(numbers).size).toBe(1000)
  })

  test('tokens of hosted pages have 128 bits, in letters that an address may hold', () => {
    const tokens = thousand(randomIds.pageToken)
    expect(tokens.filter((token) => !/^[\w-]{22}$/.test(token))).toEqual([])
    expect(new Set(tokens).size).toBe(1000)
  })

  test('secrets have the bytes that are asked for, and fractions are from 0 to 1', () => {
    expect(randomSecret(32)).toHaveLength(32)
    expect(Buffer.from(randomSecret(32)).equals(randomSecret(32))).toBe(false)
    expect(thousand(randomFraction).filter((fraction) => fraction < 0 || fraction > 1)).toEqual([])
  })
})
