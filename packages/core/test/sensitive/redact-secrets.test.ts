import { redactSecrets } from '@tallystick/core'
import { describe, expect, test } from 'vitest'
import { redact } from '../../src/sensitive/redact-secrets.ts'

const FORM = 'expire_year=2031&cvv2=7391&control=f493a1&amount=1.00'

describe('redactSecrets', () => {
  test.each([
    [FORM, 'expire_year=2031&cvv2=***&control=***&amount=1.00'],
    ['{"cvv2":"7391","control": "f493a1","amount":"1"}', '{"cvv2":"***","control": "***","amount":"1"}'],
    ['"{\\"cvv2\\":\\"7391\\",\\"a\\":1}"', '"{\\"cvv2\\":\\"***\\",\\"a\\":1}"'],
    [`?echo=${encodeURIComponent(FORM)}`, '?echo=expire_year%3D2031%26cvv2%3D***%26control%3D***%26amount%3D1.00'],
    ['%7B%22cvv2%22%3A%227391%22%7D', '%7B%22cvv2%22%3A%22***%22%7D'],
    ['cvv2%253D7391%2526amount', 'cvv2%253D***%2526amount'],
    ["{ cvv: '7391', cvc2: 7391 }", "{ cvv: '***', cvc2: *** }"],
    [
      'card_cvv2=7391 merchant_control_key=A-B control-key: C controlKey=D',
      'card_cvv2=*** merchant_control_key=*** control-key: *** controlKey=***',
    ],
    ['oauth_signature="a%2Bb%3D", oauth_nonce="1"', 'oauth_signature="***", oauth_nonce="1"'],
  ])('leaves the values out of %s', (text, redacted) => {
    expect(redactSecrets(text)).toBe(redacted)
    expect(redactSecrets(redacted)).toBe(redacted)
  })

  test.each([
    '',
    'The control is wrong',
    'out of control. = no',
    'remotecontrol=left',
    'Check cvv2, and send it again',
    'https://gate.example.com/form/1?a=1',
  ])('leaves %j as it is', (text) => expect(redactSecrets(text)).toBe(text))

  test('is quick for what looks like a secret and is none', () => {
    const text = `control${' '.repeat(100_000)}`.repeat(3) + 'cvv2='.repeat(100_000)
    expect(redactSecrets(text).length).toBeGreaterThan(0)
  })
})

test('redact leaves out what is secret, and masks card numbers', () => {
  expect(redact('credit_card_number=4444555566661111&cvv2=7391&amount=1.00')).toBe(
    'credit_card_number=444455******1111&cvv2=***&amount=1.00',
  )
})
