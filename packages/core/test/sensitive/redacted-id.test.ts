import { describe, expect, test } from 'vitest'
import { ID, redactedAddress, redactedId } from '../../src/sensitive/redact.ts'

describe('redactedId', () => {
  test.each(['a', '6768788', '00000000-0000-0000-0000-000002d9b22a', 'inv_1.2:3', '4444555566661111', 'x'.repeat(128)])(
    'leaves %s as it is',
    (id) => {
      expect(ID.test(id)).toBe(true)
      expect(redactedId(id)).toBe(id)
    },
  )

  test.each([
    ['cvv2=123', 'cvv2=***'],
    [' 4444555566661111', ' 444455******1111'],
    ['4444555566661111 ', '444455******1111 '],
    ['=4444555566661111', '=444455******1111'],
    ['', ''],
  ])('makes of %j the text %j', (text, redacted) => {
    expect(ID.test(text)).toBe(false)
    expect(redactedId(text)).toBe(redacted)
  })

  test('cuts a text that is longer than an id', () => {
    expect(redactedId('x'.repeat(129))).toBe('x'.repeat(128))
  })
})

describe('redactedAddress', () => {
  const token = '4444555566661111'

  test.each([
    `https://gate.example.com/form/${token}`,
    `https://gate.example.com/form?token=${token}&card-notes=1&span=2`,
    'https://gate.example.com/discard_notice',
    'https://gate.example.com/form/aCvv-739-x?t=cvc2_1234&u=CVV.739&v=cvv--739',
    `https://gate.example.com/cvv/73-91/${token}`,
  ])('leaves %s as it is', (address) => expect(redactedAddress(address)).toBe(address))

  test.each(['card_number', 'cardnumber', 'card-number', 'credit_card_number', 'card_no', 'cardNo', 'CARDNO', 'pan'])(
    'masks the number in an address that quotes %s',
    (name) => {
      expect(redactedAddress(`https://gate.example.com/?${name}=${token}`)).toBe(
        `https://gate.example.com/?${name}=444455******1111`,
      )
    },
  )

  test.each(['card%20number%20', 'card+number+', 'card%2520number%253D%2520'])(
    'masks the number in an address that says %s',
    (words) => {
      expect(redactedAddress(`https://gate.example.com/error?message=Unknown%20${words}${token}`)).toBe(
        `https://gate.example.com/error?message=Unknown%20${words}444455******1111`,
      )
    },
  )

  test('leaves out a secret that is quoted in another way', () => {
    expect(redactedAddress('https://gate.example.com/?echo=%5Bcvv2%5D%20%3D%3E%20739')).toBe(
      'https://gate.example.com/?echo=%5Bcvv2%5D%20%3D%3E%20***',
    )
  })

  test('masks the number, and leaves out the secret if there is one', () => {
    expect(redactedAddress(`https://gate.example.com/?echo=${token}&cvv2=123`)).toBe(
      'https://gate.example.com/?echo=444455******1111&cvv2=***',
    )
  })
})
