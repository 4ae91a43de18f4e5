import { createPaymentClient, undiciTransport } from '@tallystick/client'
import { defineProfile, type OperationKey, operationKeys, parseForm } from '@tallystick/core'
import { startGateway, type TestGateway } from '@tallystick/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callOperation } from './support/call-operation.ts'
import { inputs } from './support/inputs.ts'

/** Requests about an order or a stored card that does not exist: they are verified and validated, and then refused. */
const NO_SUCH_ORDER = { outcome: 'rejected', errorCode: '2' }
const NO_SUCH_CARD = { outcome: 'rejected', errorCode: '8' }
const REFUSED: Readonly<Partial<Record<OperationKey, typeof NO_SUCH_ORDER>>> = {
  uploadCresResult: NO_SUCH_ORDER,
  uploadMethodUrlResult: NO_SUCH_ORDER,
  uploadParesResult: NO_SUCH_ORDER,
  capture: NO_SUCH_ORDER,
  void: NO_SUCH_ORDER,
  return: NO_SUCH_ORDER,
  createCardRef: NO_SUCH_ORDER,
  createCardRefV4: NO_SUCH_ORDER,
  status: NO_SUCH_ORDER,
  payoutPay: NO_SUCH_ORDER,
  getCardInfo: NO_SUCH_CARD,
  makeRebill: NO_SUCH_CARD,
  panEligibilitySend: NO_SUCH_CARD,
  transferByRef: NO_SUCH_CARD,
  processRecurringPayment: NO_SUCH_CARD,
  updateRecurringPayment: NO_SUCH_CARD,
  getRecurringPayment: NO_SUCH_CARD,
}

const expected = (key: OperationKey) => REFUSED[key] ?? { outcome: 'accepted' }

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.close())

describe('every request of the client is understood by the gateway', () => {
  test.each(operationKeys)('[S4-09] [S5-01] %s is verified and validated over a socket', async (key) => {
    const client = gateway.client()
    expect(await callOperation(client, key)).toMatchObject(expected(key))
  })

  test.each(operationKeys)('[G12-12] %s is verified with the OAuth parameters in the header alone', async (key) => {
    const { baseUrl, ...merchant } = gateway.merchant
    const client = createPaymentClient({
      ...merchant,
      profile: defineProfile({ baseUrl, oauthInBody: false, recurringExtensions: true }),
    })
    expect(await callOperation(client, key)).toMatchObject(expected(key))
    await client.close()
  })

  // Conflict N1: older pages have rows for both, the newest page for neither.
  test.each([
    [false, undefined, undefined],
    [true, 'login', 'endpointId'],
  ] as const)(
    'a charge of a recurring payment names login and endpoint: %s',
    async (recurringLogin, login, endpoint) => {
      const { baseUrl, ...merchant } = gateway.merchant
      const wire = undiciTransport()
      const sent: string[] = []
      const client = createPaymentClient({
        ...merchant,
        profile: defineProfile({ baseUrl, recurringLogin, recurringExtensions: true }),
        transport: {
          ...wire,
          send: async (request, options) => {
            if (request.url.includes('/process-recurring-payment/')) sent.push(request.body)
            return await wire.send(request, options)
          },
        },
      })
      expect(await callOperation(client, 'processRecurringPayment')).toMatchObject(NO_SUCH_CARD)
      const fields = new Map(sent.flatMap((body) => parseForm(body)))
      expect([fields.get('login'), fields.get('endpoint')]).toEqual([
        login && merchant[login],
        endpoint && merchant[endpoint],
      ])
      await client.close()
    },
  )

  test.each([
    ['/api/v2/payout-form', 'RSA-SHA256'],
    ['/api/v4/payout-form', 'RSA-SHA256'],
  ] as const)('[G12-05] %s is verified by %s', async (payoutFormPath, payoutFormMethod) => {
    const { baseUrl, ...merchant } = gateway.merchant
    const profile = defineProfile({ baseUrl, payoutFormPath, payoutFormMethod })
    const client = createPaymentClient({ ...merchant, profile })
    const clientOrderId = client.newClientOrderId()
    expect(await client.payoutForm({ ...inputs.payoutForm, clientOrderId })).toMatchObject(expected('payoutForm'))
    await client.close()
  })

  test.each(['make-rebill', 'make-rebill-sale', 'make-rebill-preauth'] as const)(
    '[G12-01] a rebill is understood under the name %s',
    async (name) => {
      const { baseUrl, ...merchant } = gateway.merchant
      const client = createPaymentClient({
        ...merchant,
        profile: defineProfile({ baseUrl, rebillPath: `/api/v2/${name}` }),
      })
      expect(await callOperation(client, 'makeRebill')).toMatchObject(expected('makeRebill'))
      await client.close()
    },
  )
})

describe('a client with a wrong key is refused', () => {
  const rejected = { outcome: 'rejected', error: { code: 'AUTH_REJECTED', httpStatus: 403, errorCode: '4' } }

  test('[S7-03] [S5.2-26] for an operation signed by HMAC-SHA1', async () => {
    const client = gateway.client({ controlKey: 'another key' })
    const money = { amount: '1', currency: 'USD' }
    expect(await client.payout({ clientOrderId: 'a1b', ...money, receiverPhone: '1234567' })).toMatchObject(rejected)
  })

  test('for an operation signed by control', async () => {
    const client = gateway.client({ controlKey: 'another key' })
    expect(await client.void({ clientOrderId: 'a1b', orderId: '123456789012345' })).toMatchObject(rejected)
  })
})
