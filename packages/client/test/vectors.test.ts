import { createHmac, hash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createPaymentClient } from '../src/index.ts'
import { acknowledged, fakeTransport } from './fake-transport.ts'
import { merchant } from './merchant.ts'

const payer = {
  orderDesc: 'Tea',
  address1: '100 Main st',
  city: 'Seattle',
  zipCode: '1235',
  country: 'DE',
  phone: '+12063582043',
  customerIp: '65.153.12.232',
  currency: 'EUR',
  cardRefId: '1326586',
}

/** A client whose control key and endpoint are those of a vector. */
function clientOf(changes: { readonly controlKey?: string; readonly endpointId?: string } = {}) {
  const transport = fakeTransport(acknowledged)
  const client = createPaymentClient({
    ...merchant,
    baseUrl: 'https://gate.payneteasy.com/paynet',
    transport,
    ...changes,
  })
  const control = () => new URLSearchParams(transport.sent[0]?.body).get('control')
  return { transport, client, control }
}

describe('[S5.1-01] [G7.1-01] The control that is sent is that of the known vector', () => {
  test('D1, the documented string of a sale: [S4-42] 10.42 is signed as 1042', async () => {
    const { client, control } = clientOf({ controlKey: 'B17F59B4-A7DC-41B4-8FF9-37D986B43D20', endpointId: '1111' })
    const order = { clientOrderId: '902B4FF5', amount: '10.42', email: 'john.smith@gmail.com' }
    await client.sale({ ...payer, ...order })
    expect(control()).toBe('c6bdd88a78834ef4b863b088827a459f039e8257')
  })

  test('P1, of an official test suite, for sale and preauth: [G7.1-02] 0.99 is signed as 99', async () => {
    const order = { clientOrderId: 'CLIENT-112233', amount: '0.99', email: 'vass.pupkin@example.com' }
    const sale = clientOf({ endpointId: '789' })
    await sale.client.sale({ ...payer, ...order })
    expect(sale.control()).toBe('9ae745207ca7de4543703ea8c334286d57b5d1d4')
    const preauth = clientOf({ endpointId: '789' })
    await preauth.client.preauth({ ...payer, ...order })
    expect(preauth.control()).toBe('9ae745207ca7de4543703ea8c334286d57b5d1d4')
  })

  test('P1 again, for the hosted forms', async () => {
    const { cardRefId: _none, ...holder } = payer
    const order = { clientOrderId: 'CLIENT-112233', amount: '0.99', email: 'vass.pupkin@example.com' }
    for (const operation of ['saleForm', 'preauthForm', 'paymentForm'] as const) {
      const { client, control } = clientOf({ endpointId: '789' })
      await client[operation]({ ...holder, ...order, redirectUrl: 'https://shop.example.com/back' })
      expect(control()).toBe('9ae745207ca7de4543703ea8c334286d57b5d1d4')
    }
  })

  test('P3, card info', async () => {
    const { client, control } = clientOf()
    await expect(client.getCardInfo({ cardRefId: '5588943' })).rejects.toMatchObject({ code: 'GATEWAY_ERROR' })
    expect(control()).toBe('d3a4ecbee71d260dfa56d9882f687d6e990205d9')
  })

  test('P5, a partial capture and a partial return', async () => {
    const part = { clientOrderId: 'CLIENT-112233', orderId: 'PAYNET-112233', amount: '0.99', currency: 'EUR' }
    const capture = clientOf()
    await capture.client.capture(part)
    expect(capture.control()).toBe('c733519d22f3a8e795f3e63caab55274e477b419')
    const back = clientOf()
    await back.client.return(part)
    expect(back.control()).toBe('c733519d22f3a8e795f3e63caab55274e477b419')
  })

  test('P9, [S5.1-03] [S4-40] a status without the order id of the gateway, which counts as an empty text', async () => {
    const { client, control } = clientOf()
    // The fake answers about another order, so the call fails: only what was sent counts here.
    await client.status({ clientOrderId: 'CLIENT-112233' }).catch(() => undefined)
    expect(control()).toBe('bcaf34dae08a70997c4d5a01032e68a620632883')
  })

  test('W4, a rebill as an official client sends it', async () => {
    const { client, control } = clientOf()
    await client.makeRebill({ clientOrderId: 'CLIENT-112244', cardRefId: '1326586', amount: '0.94', currency: 'USD' })
    expect(control()).toBe('76bb62b0a5c2298592bbf5cf2c6f5a61cd14cd53')
  })

  test.each([
    ['19.99', '1999'],
    ['4.35', '435'],
    ['8.2', '820'],
    ['64.1', '6410'],
    ['10.15', '1015'],
  ])('[G7.1-03] and a float loses no cent: %s is signed as %s', async (amount, cents) => {
    const { client, transport } = clientOf({ controlKey: 'key' })
    await client.makeRebill({ clientOrderId: 'A1', cardRefId: '1', amount, currency: 'USD' })
    const wanted = hash('sha1', `test-loginA11${cents}USDkey`)
    expect(transport.sent[0]?.body).toMatch(new RegExp(`&control=${wanted}$`))
  })
})

/** The worked example of the documentation. Its path has a placeholder in place of an endpoint id. */
const HMAC_1 = {
  baseString:
    'POST&https%3A%2F%2Fgate.payneteasy.com%2Fpaynet%2Fapi%2Fv2%2Fpan-eligibility%2Fsend%2FENDPOINTID&client-order-id%3D1234567890%26oauth_consumer_key%3Dmerchantlogin%26oauth_nonce%3Dy3qlvMPky7g%26oauth_signature_method%3DHMAC-SHA1%26oauth_timestamp%3D1669966913%26oauth_version%3D1.0%26sending-card-ref-id%3D7654321',
  key: '11111111-1111-1111-1111-111111111111&',
  signature: 'd/IPlITUmPcniwjA7Vckjr6WQeE=',
}

const hmacSha1 = (key: string, text: string) => createHmac('sha1', key).update(text).digest('base64')

describe('[S5.2-01] [S5.2-14] [S5.2-25] The HMAC-SHA1 that is sent is that of the worked example', () => {
  test('[S5.2-11] [S5.2-20] [S5.2-21] [S5.2-22] [S5.2-23] with an endpoint id in place of its placeholder', async () => {
    const transport = fakeTransport(acknowledged)
    const client = createPaymentClient({
      ...merchant,
      baseUrl: 'https://gate.payneteasy.com/paynet',
      login: 'merchantlogin',
      controlKey: '11111111-1111-1111-1111-111111111111',
      transport,
    })
    const eligibility = { clientOrderId: '1234567890', sendingCardRefId: '7654321' }
    await client.panEligibilitySend(eligibility).catch(() => undefined)

    expect(hmacSha1(HMAC_1.key, HMAC_1.baseString)).toBe(HMAC_1.signature)
    const wanted = hmacSha1(HMAC_1.key, HMAC_1.baseString.replace('ENDPOINTID', '253'))
    expect(transport.sent[0]?.headers['authorization']).toContain(`oauth_signature="${encodeURIComponent(wanted)}"`)
    expect(transport.sent[0]?.headers['authorization']).toMatch(/^OAuth oauth_consumer_key="merchantlogin", ?/)
  })
})
