import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { differingPart, maskSensitive, sideBySide } from '../../src/doctor/explanation.ts'

describe('maskSensitive', () => {
  test.for([
    ['a card number', '4111111111111111', '411111******1111'],
    ['a card number with spaces', 'x 4111 1111 1111 1111 y', 'x 4111 1*********1111 y'],
    ['a card number with escaped spaces', '4111%20' + '1111%201111%201111', '4111%2***************1111'],
    ['a card code', 'a=1&cvv2=123&b=2', 'a=1&cvv2=***&b=2'],
    ['a card code in a base string', 'a%3D1%26CVC%3D1234%26b%3D2', 'a%3D1%26CVC%3D****%26b%3D2'],
    ['a card code inside a value', 'data%3Dcvv2%253D739%2526a%253D1%26b', 'data%3Dcvv2%253D***************%26b'],
    ['a card code inside a value that is encoded twice', 'x=cvc%25253D1234&b', 'x=cvc%25253D****&b'],
    ['a card code in JSON', '1111~{"cvv":"7391"}~[key]', '1111~{"cvv":"****"}~[key]'],
    ['a card code in JSON in JSON', '{\\"CVC2\\" : 739}', '{\\"CVC2\\" : ***}'],
    [
      'a card code in encoded JSON',
      'd%3D%257B%2522cvv2%2522%253A739%257D%26b',
      'd%3D%257B%2522cvv2%2522%253A***%257D%26b',
    ],
    ['a card code that is not made of digits', 'cvv=%2520a%26b', 'cvv=******%26b'],
    ['a named card number with letters in it', 'destination-card-no%3D4111-x', 'destination-card-no%3D******'],
    ['a named card number', 'credit_card_number=4111111111111&', 'credit_card_number=411111***1111&'],
    ['a card number named in one word', 'cardnumber=4111-x&cardno=411', 'cardnumber=******&cardno=***'],
    ['a named card number with a letter before it', 'card_no=x4111111111111111&', 'card_no=*****************&'],
    ['a named card number with a letter after it', 'card_no=4111111111111111x&', 'card_no=*****************&'],
    ['nothing of a short number', 'amount%3D1042', 'amount%3D1042'],
  ] as const)('masks %s and keeps the length', ([, text, masked]) => {
    expect(maskSensitive(text, [])).toBe(masked)
  })

  test('masks every secret anywhere, and is not disturbed by an empty one', () => {
    expect(maskSensitive('a-key-b-key', ['key', ''])).toBe('a-***-b-***')
  })

  test('changes the length of no text', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string()), (text, secrets) => {
        expect(maskSensitive(text, secrets)).toHaveLength(text.length)
      }),
    )
  })
})

describe('differingPart and sideBySide', () => {
  test('find the smallest part that differs', () => {
    expect(differingPart('abXcd', 'abYYcd')).toEqual({ start: 2, endOfExpected: 3, endOfReceived: 4 })
    expect(differingPart('aa', 'aaa')).toEqual({ start: 2, endOfExpected: 2, endOfReceived: 3 })
    expect(differingPart('same', 'same')).toBeUndefined()
  })

  test('find a part whose replacement turns one text into the other', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (expected, received) => {
        const same = { start: 0, endOfExpected: 0, endOfReceived: 0 }
        const { start, endOfExpected, endOfReceived } = differingPart(expected, received) ?? same
        expect(expected.slice(0, start) + received.slice(start, endOfReceived) + expected.slice(endOfExpected)).toBe(
          received,
        )
      }),
    )
  })

  test('cut long texts and put carets under the part', () => {
    const [expected, received] = [`${'a'.repeat(50)}X\r\n${'b'.repeat(50)}`, `${'a'.repeat(50)}Y\r\n${'b'.repeat(50)}`]
    expect(sideBySide(expected, received, differingPart(expected, received)).split('\n')).toEqual([
      `expected: …${'a'.repeat(32)}X␠␠${'b'.repeat(30)}…`,
      `received: …${'a'.repeat(32)}Y␠␠${'b'.repeat(30)}…`,
      `${' '.repeat(43)}^`,
    ])
  })

  test('cut nothing off a text that ends within 32 characters of the part', () => {
    const [expected, received] = [`X${'b'.repeat(32)}`, `Y${'b'.repeat(33)}`]
    expect(sideBySide(expected, `Y${'b'.repeat(32)}`, { start: 0, endOfExpected: 1, endOfReceived: 1 })).toBe(
      [`expected: X${'b'.repeat(32)}`, `received: Y${'b'.repeat(32)}`, `${' '.repeat(10)}^`].join('\n'),
    )
    expect(sideBySide(expected, received, { start: 0, endOfExpected: 1, endOfReceived: 1 })).toContain(
      `received: Y${'b'.repeat(32)}…`,
    )
  })

  test('give two lines for texts that do not differ', () => {
    expect(sideBySide('a', 'a', undefined)).toBe('expected: a\nreceived: a')
  })
})
