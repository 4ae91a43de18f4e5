import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { inAscii, maskCardNumbers, withPlainDigits } from '../../src/sensitive/mask-card-numbers.ts'

describe('maskCardNumbers', () => {
  test.each([
    ['Card 4444555566661111 refused', 'Card 444455******1111 refused'],
    ['4444 5555 6666 1111', '444455******1111'],
    ['4444-5555-6666-1111;', '444455******1111;'],
    ['pan="378282246310005"', 'pan="378282*****0005"'],
    ['4444555566661111 and 4444333322221111', '444455******1111 and 444433******1111'],
    ['4444555566661111 4444333322221111', '444455******1111 444433******1111'],
    ['order 12 4444555566661111', 'order 12 444455******1111'],
    ['4444 5555 6666 1111 2030', '444455******1111 2030'],
    ['6390 0212 3456 7890 123', '639002*********0123'],
    ['12-4444555566661111-7', '12-444455******1111-7'],
    ['pan 4444.5555.6666.1111.', 'pan 444455******1111.'],
    ['4444/5555/6666/1111/cb', '444455******1111/cb'],
    ['a_4444_5555_6666_1111_b', 'a_444455******1111_b'],
    ['4444\u00a05555\u00a06666\u00a01111', '444455******1111'],
    ['4444  5555 - 6666, 1111', '444455******1111'],
    ['4444%205555%206666%201111&cvv2', '444455******1111&cvv2'],
    ['4444+5555+6666+1111', '444455******1111'],
    ['4444%2D5555%252D6666%2d1111', '444455******1111'],
    ['４４４４５５５５６６６６１１１１ für Käufer', '444455******1111 für Käufer'],
    ['日本 ４４４４　５５５５　６６６６　１１１１ é', '日本 444455******1111 é'],
    ['4444\u200b5555\u200b6666\u200b1111', '444455******1111'],
    ['14 4444 5555 6666 1111', '144444********1111'],
    ['4444555566661111９', '444455******1111９'],
    ['44.44.55.55.66.66.11.11', '444455******1111'],
    ['4444555566661111', '444455******1111'],
    ['666666666662', '666666**6662'],
    ['9999 9999 9999 9995', '999999******9995'],
    ['9999-9999-9999-9995', '999999******9995'],
    ['9999+9999+9999+9995', '999999******9995'],
    ['9999%209999%209999%209995', '999999******9995'],
    ['4222.2222.2222.2', '422222***2222'],
    ['4444:5555 6666 1111', '444455******1111'],
    // Directly beside other digits.
    ['invoice 774444555566661111', 'invoice 77444455******1111'],
    ['44445555666611112031', '444455******11112031'],
    ['order00124485940822379130567899', 'order0012448594******9130567899'],
    ['7378282246310005', '7378282*****0005'],
    ['99378282246310005123', '99378282*****0005123'],
    [String.raw`4444\u00205555\u002D6666\x201111`, '444455******1111'],
  ])('masks the card number of %j', (text, masked) => expect(maskCardNumbers(text)).toBe(masked))

  // Test numbers that the schemes publish.
  const NUMBERS = ['4111111111111111', '5555555555554444', '2223003122003222', '6011000990139424', '3530111333300000']

  test.each([
    'Unknown%20card%20#',
    '%7B%22pan%22%3A%20%22#%22%7D',
    'number%3D%2527#%2527',
    'pay%2520#',
    'a%25252522#',
    '%E2%80%99#%E2%80%99',
    'user%40#',
    '%60#%60',
    String.raw`Sale{credit_card_number\u003d\u0027#\u0027}`,
    String.raw`{\u0022pan\u0022:\u0022#\u0022}`,
    String.raw`credit_card_number=\x22#\x22`,
    '%B#^BUYER/A^3012101?',
    '%#',
  ])('masks the card number in %j, whatever its escapes end in', (text) => {
    for (const number of NUMBERS) {
      const masked = `${number.slice(0, 6)}******${number.slice(-4)}`
      expect(maskCardNumbers(text.replace('#', number))).toBe(text.replace('#', masked))
    }
  })

  test.each([
    '',
    'nothing to see',
    'order 4444555566661112',
    'order 12345678901',
    '2026-11-20 23:32:13',
    '+1 206 358 2043',
    '2026-11-20 23:32:13.125',
    '2026-11-20 23:32:13.124 2026-11-20 23:32:13.125 2026-11-20 23:32:13.126 2026-11-20 23:32:13.127',
    '222.100.200.202:80',
    '4444    5555    6666    1111',
    // In groups of another kind, only digits of a known brand, at least 13 of them, are a card number.
    '9999.9999.9999.9995',
    '5018.1234.5673',
    // Pairs of digits with two kinds of separators, as in a time.
    '44:44 55 55 66 66 11 11',
    '4444:55 55 66 66 11 11',
    '44:4455 5566661111',
    '4444:5566 55 66 1111',
    'é４ñ',
    '%204444555566661112',
    // Times: with milliseconds, with microseconds and nanoseconds of today, and as digits.
    '1796035409183',
    '1796035409183000',
    '1796035409183000000',
    '20261130111500123',
    // An order id, and one beside others.
    '936673162915346',
    'a44445555666611',
    '%E2%80%99%20%22',
  ])('leaves %j as it is', (text) => expect(maskCardNumbers(text)).toBe(text))

  test('a number is masked whatever separates its digits, and the text around it stays', () => {
    const separator = fc.string({ unit: fc.constantFrom(...' .,/_-:;|#~()\u00a0\u2009\u2013'), maxLength: 3 })
    fc.assert(
      fc.property(fc.array(separator, { minLength: 3, maxLength: 3 }), ([a, b, c]) => {
        expect(maskCardNumbers(`für 4444${a}5555${b}6666${c}1111 é`)).toBe('für 444455******1111 é')
      }),
    )
  })

  test('[F-C19] an id of our gateway stays as it is, whatever digits stand beside it', () => {
    const id = fc.integer({ min: 0, max: 99_999_999_999_999 }).map((rest) => `9${String(rest).padStart(14, '0')}`)
    const beside = fc.string({ unit: fc.constantFrom(...'0123456789 -:,'), maxLength: 12 })
    fc.assert(
      fc.property(id, fc.nat(99), beside, (orderId, index, text) => {
        const operation = `${orderId}-${index + 1}`
        const sentence = `${text} The sale ${operation} of the order ${orderId} is still unknown, ${text.replace(/^[\d-]+/, '')}`
        expect(maskCardNumbers(sentence)).toContain(`The sale ${operation} of the order ${orderId} is`)
        expect(maskCardNumbers(`${orderId}: 4444333322221111`)).toBe(`${orderId}: 444433******1111`)
      }),
      { numRuns: 2000 },
    )
  })

  test('lets no card number through, whatever is around it', () => {
    const around = fc.string({ unit: fc.constantFrom(...'0123456789 -:,a') })
    fc.assert(
      fc.property(around, around, (before, after) => {
        const text = `${before.replace(/\d$/, '')} 4485940822379130 ${after.replace(/^\d/, '')}`
        expect(maskCardNumbers(text)).not.toContain('4485940822379130')
      }),
      { numRuns: 1000 },
    )
  })
})

describe('inAscii', () => {
  test.each([
    ['a 1-', 'a 1-'],
    ['\u00a0', ' '],
    ['％', '%'],
    ['－', '-'],
    ['é', 'x'],
    ['日', 'x'],
    ['４', 'x'],
    ['ﬁ', 'x'],
    ['–', ' '],
    ['…', ' '],
    ['™', ' '],
    ['\u0080', ' '],
    ['\u200b', ' '],
    ['a€b', 'a b'],
  ])('makes of %j the text %j', (text, plain) => expect(inAscii(text)).toBe(plain))
})

describe('withPlainDigits', () => {
  test.each([
    ['a 1-', 'a 1-'],
    ['４日９', '4日9'],
    ['²', '2'],
    ['½', '½'],
    ['⑴', '⑴'],
    ['é', 'é'],
  ])('makes of %j the text %j', (text, plain) => expect(withPlainDigits(text)).toBe(plain))
})
