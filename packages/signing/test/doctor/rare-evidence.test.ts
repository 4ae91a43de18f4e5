import { createHash } from 'node:crypto'
import { describe, expect, test, vi } from 'vitest'
import { publicKeyProblem } from '../../src/doctor/explain-oauth.ts'
import { explainControl, explainOAuth, signOAuth } from '../../src/index.ts'
import { hmac, protocol, signable, timestamp } from '../oauth/requests.ts'
import { publicPem } from '../rsa-key-pair.ts'
import { rules } from './broken-controls.ts'

const key = 'B17F59B4-A7DC-41B4-8FF9-37D986B43D20'
const sale = {
  formula: ['endpointId', 'clientOrderId', 'amountInCents', 'email'],
  rules,
  fields: { client_orderid: '902B4FF5', amount: '10.42', email: 'john.smith@gmail.com' },
  key,
}
const signed = (text: string) => ({
  ...sale,
  control: createHash('sha1').update(`${text}${key}`).digest('hex'),
})

describe('explainControl', () => {
  test('[S5.1-05] finds a mistake in a field of a request to a group', () => {
    const path = { kind: 'group', id: '77', otherId: '1111' } as const
    expect(explainControl({ ...signed('77902B4FF51042JOHN.SMITH@GMAIL.COM'), path })).toMatchObject({
      cause: 'value-case-changed',
      advice: 'sign email in the case in which it is sent',
    })
  })

  test('recognizes what a program prints for an absent id of the path', () => {
    const path = { kind: 'endpoint', id: '' } as const
    expect(explainControl({ ...signed('undefined902B4FF51042john.smith@gmail.com'), path })).toMatchObject({
      cause: 'absent-term-not-empty',
    })
  })
})

describe('explainOAuth', () => {
  test('looks for a wrong path even if the path is not UTF-8', () => {
    const url = 'https://gate.example.com/paynet/api/v2/sale/%ff'
    const { authorization } = signOAuth({ ...hmac, ...signable, ...protocol, url: `${url}/` })
    const secret = '11111111-1111-1111-1111-111111111111'
    expect(
      explainOAuth({ ...signable, url, method: 'HMAC-SHA1', secret, authorization, now: timestamp }),
    ).toMatchObject({ cause: 'wrong-path' })
  })

  const secret = '11111111-1111-1111-1111-111111111111'
  const pairs = (count: number, value: string) =>
    Array.from({ length: count }, (_, at): [string, string] => [`field_${at}`, value])

  /** Signed over other pairs than were sent. */
  function received(sent: [string, string][], signed: [string, string][]) {
    const { authorization } = signOAuth({ ...hmac, ...signable, ...protocol, parameters: signed })
    const evidence = { ...signable, method: 'HMAC-SHA1', secret, authorization, now: timestamp } as const
    return explainOAuth({ ...evidence, parameters: sent })
  }

  test('tries every mistake on a form that is longer than any of the interface', () => {
    const sent = pairs(60, 'x'.repeat(80))
    const signed = sent.with(-1, ['field_59', `${'x'.repeat(80)}\r\n`])
    expect(received(sent, signed)).toMatchObject({ cause: 'value-not-trimmed' })
    const unexplained = received(sent, pairs(60, 'y'))
    expect(unexplained).toMatchObject({ explained: false, right: false })
    expect(unexplained).not.toHaveProperty('isCutShort')
  })

  test.each([
    ['many', pairs(195, ' '.repeat(100))],
    ['long', pairs(20, ' '.repeat(3000))],
    ['many and short', pairs(195, '')],
  ])('gives up if there are thousands of mistakes: fields that are %s', (_how, sent) => {
    expect(received(sent, pairs(1, 'y'))).toMatchObject({ explained: false, right: false, isCutShort: true })
    // A mistake that is tried early is found nevertheless.
    expect(received(sent, [])).toMatchObject({ cause: 'body-not-counted' })
  })

  test('passes a failure of the machine on, and does not take it for a bad key', () => {
    const broken = vi.spyOn(String.prototype, 'matchAll').mockImplementation(() => {
      throw new RangeError('out of memory')
    })
    try {
      const evidence = { method: 'RSA-SHA256', publicKey: publicPem } as const
      expect(() => publicKeyProblem(evidence)).toThrow(RangeError)
    } finally {
      broken.mockRestore()
    }
  })
})
