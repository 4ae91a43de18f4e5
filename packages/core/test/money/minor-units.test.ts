import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { exponentOf, fromMinorUnits, toMinorUnits, withoutLastZeros } from '../../src/money/minor-units.ts'

/** Whole cents up to 9,999,999,999.99. */
const cents = fc.bigInt({ min: 0n, max: 999_999_999_999n })

/** An independent way to the same text: integer division, then two digits. */
const major = (amount: bigint) => `${amount / 100n}.${amount % 100n < 10n ? '0' : ''}${amount % 100n}`

describe('toMinorUnits', () => {
  test.each([
    ['0.94', '94'],
    ['10.15', '1015'],
    ['10.42', '1042'],
    ['10.00', '1000'],
    ['19.99', '1999'],
    ['4.35', '435'],
    ['8.2', '820'],
    ['64.1', '6410'],
    ['0.05', '5'],
    ['0.00', '0'],
    ['0', '0'],
    ['10', '1000'],
  ])('[G7.1-02] [G7.1-03] [S4-42] %s is %s cents', (amount, expected) => {
    expect(toMinorUnits(amount)).toBe(expected)
  })

  test('[G7.1-03] [S5.1-05] every amount of cents comes out exact', () => {
    fc.assert(
      fc.property(cents, (amount) => {
        expect(toMinorUnits(major(amount))).toBe(amount.toString())
      }),
      { numRuns: 2000 },
    )
  })

  test('[G7.1-02] a zero at the end may be left out', () => {
    fc.assert(
      fc.property(cents, (amount) => {
        const shortest = major(amount).replace(/\.?0{1,2}$/, '')
        expect(toMinorUnits(shortest)).toBe(amount.toString())
      }),
    )
  })

  test.each([
    '10.',
    '.5',
    '01',
    '1e3',
    '-1',
    '+1',
    '1,5',
    '',
    ' ',
    '1.234',
    '1 000',
    '0x10',
    '١',
    'NaN',
    '1.2.3',
    '1\n',
  ])('refuses %j', (amount) => expect(toMinorUnits(amount)).toBeUndefined())

  test('[G13-06] takes the decimals of the currency', () => {
    expect(toMinorUnits('1050', 0)).toBe('1050')
    expect(toMinorUnits('1050.5', 0)).toBeUndefined()
    expect(toMinorUnits('1.234', 3)).toBe('1234')
    expect(toMinorUnits('1.2', 3)).toBe('1200')
    expect(toMinorUnits('1.2345', 3)).toBeUndefined()
  })

  // As a caller without types may: its ten euros were ten cents.
  test('returns nothing for a currency in place of its decimals', () => {
    expect(toMinorUnits('10', 'EUR' as unknown as number)).toBeUndefined()
    expect(toMinorUnits('10', Number.NaN)).toBeUndefined()
  })
})

describe('fromMinorUnits', () => {
  test.each([
    ['94', 2, '0.94'],
    ['1042', 2, '10.42'],
    ['5', 2, '0.05'],
    ['0', 2, '0.00'],
    ['00094', 2, '0.94'],
    ['1050', 0, '1050'],
    ['0', 0, '0'],
    ['1234', 3, '1.234'],
    ['7', 3, '0.007'],
  ])('%s with %i decimals is %s', (minorUnits, exponent, expected) => {
    expect(fromMinorUnits(minorUnits, exponent)).toBe(expected)
  })

  test.each(['', '-1', '1.5', ' 1', '1e3', 'x'])('refuses %j', (text) => {
    expect(fromMinorUnits(text)).toBeUndefined()
  })

  test('restores every amount of cents', () => {
    fc.assert(
      fc.property(cents, (amount) => {
        expect(fromMinorUnits(amount.toString())).toBe(major(amount))
      }),
    )
  })
})

describe('withoutLastZeros', () => {
  test.each([
    ['10.50', '10.5'],
    ['10.00', '10'],
    ['0.10', '0.1'],
    ['100.0', '100'],
    ['10.05', '10.05'],
    ['10.5', '10.5'],
    ['100', '100'],
    ['0', '0'],
  ])('writes %j as %j', (amount, expected) => {
    expect(withoutLastZeros(amount)).toBe(expected)
  })

  test.each(['', '0', '.00', '10.', 'x1.00', '1.00x', '1.00 ', 'a.00', '-1.00', '1.0.0', '1,00'])(
    'leaves %j as it is',
    (text) => {
      expect(withoutLastZeros(text)).toBe(text)
    },
  )
})

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
