import { Cvv, cardBrand, Pan, Secret } from '@tallystick/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

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
  test('[S2-04] holds the control key and gives it only by reveal', () => {
    const key = new Secret('B17F59B4')
    expect(key.reveal()).toBe('B17F59B4')
    expect(String(key)).toBe('[secret]')
  })

  test.each(['', undefined, null, 5])('refuses %j: an unset variable must not become a key', (text) => {
    expect(() => new Secret(text as string)).toThrow(TypeError)
  })
})

describe('cardBrand', () => {
  test.each([
    ['444433', 'VISA'],
    ['400000', 'VISA'],
    ['510000', 'MASTERCARD'],
    ['559999', 'MASTERCARD'],
    ['222100', 'MASTERCARD'],
    ['272099', 'MASTERCARD'],
    ['272100', 'UNKNOWN'],
    ['220000', 'MIR'],
    ['220499', 'MIR'],
    ['220500', 'UNKNOWN'],
    ['340000', 'AMEX'],
    ['378282', 'AMEX'],
    ['352800', 'JCB'],
    ['620000', 'UNIONPAY'],
    ['500000', 'MAESTRO'],
    ['639000', 'MAESTRO'],
    ['000000', 'UNKNOWN'],
    ['', 'UNKNOWN'],
    ['abc', 'UNKNOWN'],
  ])('%s is %s', (bin, brand) => expect(cardBrand(bin)).toBe(brand))
})
