import { catalogue, operationKeys, parseForm, readReply } from '@tallystick/core'
import { verifyControl } from '@tallystick/signing'
import { describe, expect, test } from 'vitest'
import {
  fakeClock,
  fakeNonce,
  fixtures,
  recordedCallback,
  recordedReplies,
  refusalFixture,
  replyFixture,
  requestFixture,
  testKeyPair,
} from '../src/index.ts'

test('there is a fixture of every operation in both formats', () => {
  expect(
    fixtures()
      .map(({ operation, format }) => `${operation} ${format}`)
      .sort(),
  ).toEqual(operationKeys.flatMap((key) => [`${key} classic`, `${key} json`]).sort())
})

describe.for(fixtures())(
  '$operation in $format',
  ({ operation, format, reply, fullReply, refusal, failure, request }) => {
    test('[S4-06] [G2.1-01] its replies are read correctly', () => {
      expect(readReply(operation, reply.body)).toMatchObject({ kind: 'success', reply: { extra: {} } })
      expect(readReply(operation, refusal.body).kind).toBe('validation-error')
      expect(readReply(operation, failure.body).kind).toBe('error')
      const { fields } = catalogue[operation].reply
      const full = readReply(operation, fullReply.body)
      expect(full.kind === 'success' && Object.keys(full.reply).sort()).toEqual(
        [...Object.keys(fields), 'extra'].sort(),
      )
    })

    test('[G2.1-01] has the media type and the HTTP status of its format', () => {
      const expected = format === 'json' ? 'application/vnd.pay+json' : 'text/html;charset=utf-8'
      expect([reply, refusal, failure].map(({ mediaType }) => mediaType)).toEqual([expected, expected, expected])
      expect([reply, refusal, failure].map(({ httpStatus }) => httpStatus)).toEqual(
        format === 'json' ? [200, 400, 500] : [200, 200, 200],
      )
    })

    test('[S4-02] [S4-03] [S4-04] its request is a form under the path of the operation', async () => {
      const { url, headers, body } = await request()
      expect(url).toBe(`https://gateway.test/paynet${catalogue[operation].path}/253`)
      expect(headers['content-type']).toBe('application/x-www-form-urlencoded')
      expect(headers['accept']).toBe(format === 'json' ? 'application/vnd.pay+json' : undefined)
      const names = new Map(parseForm(body))
      expect(names.has('control') || headers['authorization']?.startsWith('OAuth ')).toBe(true)
    })
  },
)

test('[G4-01] the changes of a reply have the names of its model', () => {
  const { body } = replyFixture('status', 'json', {
    status: 'declined',
    errorMessage: 'Expired card',
    amount: undefined,
  })
  expect(JSON.parse(body)).toMatchObject({
    type: 'status-response',
    status: 'declined',
    'error-message': 'Expired card',
  })
  expect(body).not.toContain('"amount"')
})

test('[G4-06] the changes of a refusal likewise', () => {
  const { body } = refusalFixture('error', 'classic', { errorMessage: 'Out of order' })
  expect(new URLSearchParams(body).get('error-message')).toBe('Out of order\n')
})

describe('a request', () => {
  test('[G7.1-01] [G7.1-02] with given keys has the control of the documented example', async () => {
    // Vector D1: endpoint 1111, the documented string of a sale.
    const { body } = await requestFixture(
      'sale',
      { clientOrderId: '902B4FF5', amount: '10.42', email: 'john.smith@gmail.com' },
      { endpointId: '1111', controlKey: 'B17F59B4-A7DC-41B4-8FF9-37D986B43D20' },
    )
    expect(new URLSearchParams(body).get('control')).toBe('c6bdd88a78834ef4b863b088827a459f039e8257')
  })

  test('with given keys, clock and nonce is the same every time', async () => {
    const given = () => ({
      controlKey: 'a key',
      privateKey: testKeyPair().privateKey,
      clock: fakeClock('2031-01-01T00:00:00Z'),
      nonce: fakeNonce('n'),
    })
    const input = { clientOrderId: 'a-1-z' }
    const one = await requestFixture('transfer', input, given())
    expect(await requestFixture('transfer', input, given())).toEqual(one)
    expect(one.headers['authorization']).toContain('oauth_nonce="n-1"')
    expect(one.headers['authorization']).toContain(`oauth_timestamp="${Date.UTC(2031, 0, 1) / 1000}"`)
  })

  test('that is invalid is an error', async () => {
    await expect(requestFixture('sale', { amount: '-1' })).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    await expect(requestFixture('status', { clientOrderId: '' })).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  })
})

const READ: Readonly<Record<string, object>> = {
  'an acknowledgement of a sale at a group of endpoints, with the endpoint that took it': {
    kind: 'success',
    reply: { clientOrderId: 'inv4097763', orderId: '6768788', endpointId: '22904' },
  },
  'a status that waits for 3DS: a whole page in a value, much of the card, no descriptor': {
    kind: 'success',
    reply: {
      status: 'processing',
      orderStage: 'sale_3d_validating',
      amount: '10.42',
      initialAmount: '10.42',
      originalGateDescriptor: 'Example TEST EUR',
      html: expect.stringMatching(
        /^<!DOCTYPE html>\n<body onLoad="document.forms\[0\].submit\(\)">\n<form .*\n {4}<input /,
      ),
      redirectTo: 'https://gate.example.com/payment/form/redirect/6768788/A1_b-C2',
      email: 'john.smith@example.com',
      processingDate: '2024-03-20 08:51:03 MSK',
      productName: 'Visa Classic',
      paymentTypeName: 'VISA Credit',
      cardCountry: 'JPN',
    },
  },
  'an acknowledgement in the classic format: each value ends with a line feed': {
    kind: 'success',
    reply: { clientOrderId: 'inv4097763', orderId: '6768788', endpointId: '22903' },
  },
  'an acknowledgement in JSON: texts alone': {
    kind: 'success',
    reply: { clientOrderId: 'inv4097763', orderId: '6768788', endpointId: '22903' },
  },
  'an order id as a JSON number beyond 32 bits': { kind: 'success', reply: { orderId: '12345678901' } },
  'a refusal with HTTP status 400 and its code as a JSON number': {
    kind: 'validation-error',
    reply: { errorMessage: 'Wrong input', errorCode: '1' },
  },
  'a refusal in the classic format, with HTTP status 200': {
    kind: 'validation-error',
    reply: { errorMessage: 'Wrong input', errorCode: '1' },
  },
  'a signature that was refused with HTTP status 401, in plain text': { kind: 'no-reply' },
  'a status without a status: the order is being processed': { kind: 'success', reply: { status: 'processing' } },
  'a status that waits for 3DS by a page and an address': {
    kind: 'success',
    reply: { html: '<form></form>', redirectTo: 'https://gate.example.com/3ds/6768788' },
  },
  'the answer to create-card-ref under its real type': { kind: 'success', reply: { cardRefId: '1326586' } },
}

test.each(recordedReplies)('[G2.1-02] [G12-02] recorded: $name', ({ name, operation, body }) => {
  expect(readReply(operation, body)).toMatchObject(READ[name] ?? {})
  expect(READ).toHaveProperty([name])
})

test.each(recordedReplies.filter(({ origin }) => origin === 'recorded'))(
  '[G4-01] nothing in a recording is unknown: $name',
  ({ operation, body }) => {
    expect(readReply(operation, body)).toHaveProperty('reply.extra', {})
  },
)

test('[G6-07] the recorded callback is signed with its key', () => {
  const { key, query } = recordedCallback
  const control = new URLSearchParams(query).get('control') ?? ''
  expect(verifyControl({ terms: ['approved', '_', '_'], key, control })).toEqual({ ok: true })
})
