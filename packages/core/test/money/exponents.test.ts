import { describe, expect, test } from 'vitest'
import { exponentOf } from '../../src/money/minor-units.ts'

describe('exponentOf', () => {
  test.each(['EUR', 'JPY', 'KWD', undefined])('[G13-06] [S8-03] is 2 for %s by default', (currency) => {
    expect(exponentOf(currency)).toBe(2)
    expect(exponentOf(currency, 'always-2')).toBe(2)
  })

  test.each([
    ['EUR', 2],
    ['USD', 2],
    ['JPY', 0],
    ['KRW', 0],
    ['KWD', 3],
    ['TND', 3],
    ['CLF', 4],
    [undefined, 2],
    ['constructor', 2],
    ['__proto__', 2],
  ])('[G13-06] is by ISO 4217 if the profile says so: %s has %i', (currency, expected) => {
    expect(exponentOf(currency, 'iso-4217')).toBe(expected)
  })
})
