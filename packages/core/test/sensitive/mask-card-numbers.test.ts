import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { maskCardNumbers } from '../../src/sensitive/mask-card-numbers.ts'

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
  ])('masks the card number of %j', (text, masked) => expect(maskCardNumbers(text)).toBe(masked))

  test.each([
    '',
    'nothing to see',
    'order 4444555566661112',
    'order 12345678901',
    '2026-11-20 23:32:13',
    '+1 206 358 2043',
  ])('leaves %j as it is', (text) => expect(maskCardNumbers(text)).toBe(text))

  test('lets no card number through, whatever stands around it', () => {
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
