import { describe, expect, test } from 'vitest'
import type { GatewayRequest } from '../../src/index.ts'
import { listening, ORIGIN } from '../support/acquirers.ts'
import { controlled, type Fields, fieldsOf, NOW, PAYER, RIVAL, SHOP, sale, status } from '../support/signed-requests.ts'
import { recording } from '../support/stores.ts'
import { testGateway } from '../support/test-gateway.ts'

describe('the acknowledgement of a sale', () => {
  test('[S1-15] [S4-17] [G4-01] [G13-11] has the fields of AsyncResponse and no outcome', async () => {
    const { gateway } = testGateway()
    const reply = await gateway.handle(sale())
    expect(reply.status).toBe(200)
    const { 'serial-number': serialNumber, 'paynet-order-id': orderId, ...rest } = fieldsOf(reply)
    expect(rest).toEqual({ type: 'async-response', 'merchant-order-id': 'inv-1', 'end-point-id': '1111' })
    expect(orderId).toMatch(/^[1-9]\d{14}$/)
    expect(serialNumber).toMatch(/^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/)
  })

  test('[G13-11] order ids have 15 digits without a leading zero, each its own', async () => {
    const { gateway } = testGateway()
    const replies = await Promise.all(
      Array.from({ length: 200 }, (_, at) => gateway.handle(sale({ client_orderid: `inv-${at}` }))),
    )
    const ids = replies.map((reply) => fieldsOf(reply)['paynet-order-id'] ?? '')
    expect(ids.filter((id) => !/^[1-9]\d{14}$/.test(id))).toEqual([])
    expect(new Set(ids).size).toBe(200)
  })

  test('[S4-31] [S1-03] the acquirer is asked once, for the whole amount, and gets no card with it', async () => {
    const { acquirer, executed } = listening()
    const { gateway } = testGateway({ acquirer })
    const orderId = fieldsOf(await gateway.handle(sale()))['paynet-order-id']
    await gateway.settled()
    const token = expect.stringMatching(/^simulated-approved-[a-p]{32}$/)
    expect(executed).toEqual([
      {
        ...ORIGIN,
        history: [],
        reference: `${orderId}-1`,
        kind: 'sale',
        token,
        orderId,
        amount: 1042n,
        currency: 'EUR',
        decimals: 2,
      },
    ])
  })

  test.for(['cardrefid', 'card_recurring_payment_id'])(
    '[G13-15] a card reference (%s) is understood, and refused while no card is stored',
    async (name) => {
      const { gateway } = testGateway()
      const fields = { ...PAYER, amount: '10.42', currency: 'EUR', [name]: '123456' }
      const reply = await gateway.handle(
        controlled('/api/v2/sale', 'endpointId + client_orderid + amount + email + key', fields),
      )
      expect(reply.status).toBe(400)
      expect(fieldsOf(reply)).toMatchObject({
        type: 'validation-error',
        'error-code': '8',
        'merchant-order-id': 'inv-1',
      })
    },
  )
})

describe('a client order id', () => {
  test('[G13-10] a repeat with the same content gets the first reply, byte for byte', async () => {
    const { acquirer, executed } = listening()
    const { gateway } = testGateway({ acquirer })
    const first = await gateway.handle(sale())
    await gateway.settled()
    const again = await gateway.handle(sale())
    await gateway.settled()
    expect(again).toEqual(first)
    expect(executed).toHaveLength(1)
  })

  test.for<readonly [string, Fields]>([
    ['another CVV', { cvv2: '101' }],
    ['no difference but white space', { city: ' Berlin ', cvv2: '123 ' }],
    ['the year in two digits', { expire_year: '31' }],
    ['an empty field more', { purpose: '' }],
  ])('[G13-10] a repeat with %s is the same request', async ([, changes]) => {
    const { gateway } = testGateway()
    const first = await gateway.handle(sale())
    expect((await gateway.handle(sale(changes))).body).toBe(first.body)
  })

  test('[G13-10] a repeat with its fields in another order and spelling is the same request', async () => {
    const { gateway } = testGateway()
    const first = await gateway.handle(sale())
    const { body } = sale()
    const turned = body.split('&').toReversed().join('&').replace('client_orderid', 'client-order-id')
    expect((await gateway.handle({ ...sale(), body: turned })).body).toBe(first.body)
  })

  test.for<readonly [string, Fields]>([
    ['another amount', { amount: '10.43' }],
    ['another currency', { currency: 'USD' }],
    ['another card', { credit_card_number: '4444555566661111' }],
    ['another expiry', { expire_month: '11' }],
    ['another payer', { email: 'jane@example.com' }],
    ['a field more', { first_name: 'John' }],
    ['an undocumented field more', { brand_field: 'x' }],
    ['another callback address', { server_callback_url: 'https://shop.example.com/cb' }],
  ])('[G13-10] with %s is taken: code 3, and the first order stays as it is', async ([, changes]) => {
    const { gateway, calls } = testGateway()
    await gateway.handle(sale())
    await gateway.settled()
    const before = fieldsOf(await gateway.handle(status({ client_orderid: 'inv-1' })))
    const reply = await gateway.handle(sale(changes))
    await gateway.settled()
    expect(reply.status).toBe(400)
    expect(fieldsOf(reply)).toMatchObject({ type: 'validation-error', 'error-code': '3', 'merchant-order-id': 'inv-1' })
    const { 'serial-number': _before, ...expected } = before
    const { 'serial-number': _after, ...after } = fieldsOf(await gateway.handle(status({ client_orderid: 'inv-1' })))
    expect(after).toEqual(expected)
    expect(calls).toEqual([])
  })

  test('[G13-10] at another endpoint of the merchant counts as other content', async () => {
    const { gateway } = testGateway()
    await gateway.handle(sale())
    expect(fieldsOf(await gateway.handle(sale({}, { ...SHOP, endpointId: '1112' })))['error-code']).toBe('3')
  })

  test('[G13-10] of two merchants names two orders', async () => {
    const { gateway } = testGateway()
    const replies = [await gateway.handle(sale()), await gateway.handle(sale({}, RIVAL))].map(fieldsOf)
    expect(replies.map(({ type }) => type)).toEqual(['async-response', 'async-response'])
    expect(replies[0]?.['paynet-order-id']).not.toBe(replies[1]?.['paynet-order-id'])
  })

  test('[G13-10] 50 equal sales at once make one order and one authorisation', async () => {
    const { acquirer, executed } = listening()
    const { gateway } = testGateway({ acquirer })
    const replies = await Promise.all(Array.from({ length: 50 }, () => gateway.handle(sale())))
    await gateway.settled()
    expect(new Set(replies.map(({ body }) => body)).size).toBe(1)
    expect(executed).toHaveLength(1)
  })

  test('[G13-10] 50 sales of other content at once: one is taken, 49 are refused', async () => {
    const { acquirer, executed } = listening()
    const { gateway } = testGateway({ acquirer })
    const requests: GatewayRequest[] = Array.from({ length: 50 }, (_, at) => sale({ amount: `${at + 1}` }))
    const replies = await Promise.all(requests.map((request) => gateway.handle(request)))
    await gateway.settled()
    const codes = replies.map((reply) => fieldsOf(reply)['error-code'])
    expect(codes.filter((code) => code === '3')).toHaveLength(49)
    expect(executed).toHaveLength(1)
  })
})

describe('what the store gets of a sale', () => {
  const names = { first_name: 'John', last_name: 'Smith', notify_url: 'https://shop.example.com/n', merchant_data: 'm' }

  test('is the order with what may be stored of the card, and then the outcome with its postings and its callback', async () => {
    const { store, changes } = recording()
    const { gateway } = testGateway({ store })
    const reply = fieldsOf(await gateway.handle(sale(names)))
    await gateway.settled()
    const [taken, decided] = changes
    const orderId = reply['paynet-order-id']
    const operation = {
      id: `${orderId}-1`,
      kind: 'sale',
      amount: 1042n,
      createdAt: NOW * 1000,
      statusAt: NOW * 1000,
      serialNumber: reply['serial-number'],
      token: expect.stringMatching(/^simulated-approved-/),
    }
    const order = {
      orderId,
      login: 'shop',
      endpointId: '1111',
      clientOrderId: 'inv-1',
      digest: expect.stringMatching(/^[\da-f]{64}$/),
      signedAs: new URLSearchParams(sale(names).body).get('control'),
      createdAt: NOW * 1000,
      terms: { currency: 'EUR', settleAfter: 86_400_000, holdFor: 604_800_000, payoutCheckFor: 900_000 },
      details: {
        card: {
          cardId: taken?.cards?.[0]?.cardId,
          bin: '444433',
          lastFourDigits: '1111',
          cardType: 'VISA',
          cardholderName: 'JOHN SMITH',
          cardExpireMonth: '12',
          cardExpireYear: '2031',
        },
        payer: { email: 'john.smith@gmail.com', phone: '+4930123456', firstName: 'John', lastName: 'Smith' },
        addresses: { notifyUrl: 'https://shop.example.com/n' },
        merchantData: 'm',
        orderDesc: 'Ten roses & a card',
      },
    }
    expect(taken?.order).toEqual<unknown>({
      order: { ...order, version: 1, operations: [{ ...operation, status: 'sent', outcome: {} }] },
      basedOn: 'nothing',
      repeatsAllowed: false,
    })
    const outcome = { approvalCode: orderId?.slice(-6), processorTxId: `PNTEST-${orderId}` }
    expect(decided?.order).toEqual({
      order: { ...order, version: 2, operations: [{ ...operation, status: 'approved', outcome }] },
      basedOn: 1,
    })
    const posting = { orderId, operationId: `${orderId}-1`, currency: 'EUR', at: NOW * 1000 }
    expect(decided?.postings).toEqual([
      { ...posting, account: 'payer', amount: -1042n },
      { ...posting, account: 'merchant', amount: 1042n },
    ])
    // Claimed as it is written: due again when the claim ends.
    expect(decided?.deliveries).toMatchObject([
      { id: `${orderId}-1`, orderId, dueAt: NOW * 1000 + 60_000, made: 0, state: 'open' },
    ])
  })

  test('has a digest that differs at another gateway: nobody can search through a stolen one', async () => {
    const digests: Array<string | undefined> = []
    for (const { store, changes } of [recording(), recording()]) {
      await testGateway({ store }).gateway.handle(sale())
      digests.push(changes[0]?.order?.order.digest)
    }
    expect(digests).toEqual([expect.any(String), expect.any(String)])
    expect(new Set(digests).size).toBe(2)
  })
})
