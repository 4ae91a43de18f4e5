import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { maskCardNumbers } from '../../src/sensitive/mask-card-numbers.ts'
import { Cvv, Secret } from '../../src/sensitive/masked.ts'
import { cardBrand, Pan, passesLuhn } from '../../src/sensitive/pan.ts'

describe('Pan', () => {
  test.each([
    '4444444444444448',
    '4444333322221111',
    '4444555566661111',
    '4485940822379130',
    '378282246310005',
    '6011111111111117',
    '30569309025904',
    '639002000000000003',
    '000000000000',
    '0000000000000000000',
  ])('[G3.1-06] takes the card number %s', (digits) => {
    expect(Pan.isPan(digits)).toBe(true)
    expect(new Pan(digits).reveal()).toBe(digits)
  })

  test.each([
    '4444444444444441',
    '4444333322221112',
    '00000000000',
    '00000000000000000000',
    '4444 3333 2222 1111',
    '4444333322221111 ',
    '',
    'abcdabcdabcd',
    '٤٤٤٤٣٣٣٣٢٢٢٢١١١١',
  ])('[G3.1-06] refuses %j', (digits) => {
    expect(Pan.isPan(digits)).toBe(false)
    expect(() => new Pan(digits)).toThrow(RangeError)
  })

  test('one wrong digit, or two neighbours swapped (but 0 and 9), never pass the check', () => {
    const position = fc.nat({ max: 15 })
    fc.assert(
      fc.property(position, fc.integer({ min: 1, max: 9 }), (at, shift) => {
        const digits = [...'4485940822379130'].map((digit, index) =>
          index === at ? String((Number(digit) + shift) % 10) : digit,
        )
        expect(Pan.isPan(digits.join(''))).toBe(false)
      }),
    )
    expect(Pan.isPan('4485940822731930')).toBe(false)
  })

  test('shows the first six and the last four digits', () => {
    const pan = new Pan('378282246310005')
    expect([pan.bin, pan.lastFourDigits, pan.masked]).toEqual(['378282', '0005', '378282*****0005'])
    expect(new Pan('000000000000').masked).toBe('000000**0000')
  })
})

describe('Cvv', () => {
  test.each(['123', '1234', '000'])('takes %s', (digits) => expect(new Cvv(digits).reveal()).toBe(digits))

  test.each(['12', '12345', '12a', ' 123', '', '１２３'])('refuses %j', (digits) => {
    expect(() => new Cvv(digits)).toThrow(RangeError)
  })
})

describe('Secret', () => {
  test('[S2-04] holds the control key and shows it only by reveal', () => {
    const key = new Secret('B17F59B4')
    expect(key.reveal()).toBe('B17F59B4')
    expect(String(key)).toBe('[secret]')
  })

  test.each(['', undefined, null, 5])('refuses %j: an unset variable must not become a key', (text) => {
    expect(() => new Secret(text as string)).toThrow(
      new TypeError('A secret must be a text that is not empty; check that its setting is present'),
    )
  })
})

describe('cardBrand', () => {
  /** The first and the last number of each range, as the schemes publish them, and the neighbours outside. */
  test.each([
    ['219999', 'UNKNOWN'],
    ['220000', 'MIR'],
    ['220499', 'MIR'],
    ['220500', 'UNKNOWN'],
    ['222099', 'UNKNOWN'],
    ['222100', 'MASTERCARD'],
    ['272099', 'MASTERCARD'],
    ['272100', 'UNKNOWN'],
    ['339999', 'UNKNOWN'],
    ['340000', 'AMEX'],
    ['349999', 'AMEX'],
    ['350000', 'UNKNOWN'],
    ['352799', 'UNKNOWN'],
    ['352800', 'JCB'],
    ['358999', 'JCB'],
    ['359000', 'UNKNOWN'],
    ['369999', 'UNKNOWN'],
    ['370000', 'AMEX'],
    ['379999', 'AMEX'],
    ['380000', 'UNKNOWN'],
    ['399999', 'UNKNOWN'],
    ['400000', 'VISA'],
    ['499999', 'VISA'],
    ['500000', 'MAESTRO'],
    ['509999', 'MAESTRO'],
    ['510000', 'MASTERCARD'],
    ['559999', 'MASTERCARD'],
    ['560000', 'MAESTRO'],
    ['589999', 'MAESTRO'],
    ['590000', 'UNKNOWN'],
    ['619999', 'UNKNOWN'],
    ['620000', 'UNIONPAY'],
    ['629999', 'UNIONPAY'],
    ['630000', 'UNKNOWN'],
    ['638999', 'UNKNOWN'],
    ['639000', 'MAESTRO'],
    ['639099', 'MAESTRO'],
    ['639100', 'UNKNOWN'],
    ['669999', 'UNKNOWN'],
    ['670000', 'MAESTRO'],
    ['679999', 'MAESTRO'],
    ['680000', 'UNKNOWN'],
    ['000000', 'UNKNOWN'],
    ['', 'UNKNOWN'],
    ['abc', 'UNKNOWN'],
  ])('%s is %s', (bin, brand) => expect(cardBrand(bin)).toBe(brand))

  test('reads the first six digits of a longer number', () => {
    expect(cardBrand('44443333')).toBe('VISA')
    expect(cardBrand('378282246310005')).toBe('AMEX')
  })
})

describe('[F-A11] A number of a scheme without a check digit', () => {
  test.each(['6212345678901233', '6212345678901234567', '8171000000000001', '3571110000000001'])(
    'is a card number: %s',
    (digits) => {
      expect(Pan.isPan(digits)).toBe(true)
      expect(maskCardNumbers(`no ${digits}.`)).toBe(`no ${new Pan(digits).masked}.`)
    },
  )

  test.each(['621234567890123', '4212345678901233', '621234567890123x', '3571120000000001'])(
    'is none: %s',
    (digits) => {
      expect(Pan.isPan(digits)).toBe(false)
    },
  )

  test('of any other scheme is one if its caller says so', () => {
    expect(new Pan('4212345678901233', { checkDigit: false }).masked).toBe('421234******1233')
    expect(() => new Pan('4212345678', { checkDigit: false })).toThrow(RangeError)
  })
})

test.each(['0', '18', '4444555566661111', '378282246310005'])('%s passes the Luhn check', (text) => {
  expect(passesLuhn(text)).toBe(true)
})

// The characters before 0 and after 9 would count with values of their own, and make a sum that passes.
test.each(['1', '19', '4444555566661112', '9:', '5/', '4444 5555 6666 1111', 'é'])(
  '%j fails the Luhn check',
  (text) => {
    expect(passesLuhn(text)).toBe(false)
  },
)
