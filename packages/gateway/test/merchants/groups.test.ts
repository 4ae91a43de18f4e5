import { describe, expect, test } from 'vitest'
import { type Acquirer, type MerchantOptions, memoryStore, simulator } from '../../src/index.ts'
import type { OrderNames } from '../../src/store/store.ts'
import type { Store } from '../../src/store-port.ts'
import { desk, type Ids, MONEY, shopKeys } from '../support/desk.ts'
import { FORMULAS } from '../support/formulas.ts'
import { issuer } from '../support/issuer.ts'
import { MONTHLY } from '../support/recurring.ts'
import { controlled, fieldsOf, oauthSigned, SALE, SHOP } from '../support/signed-requests.ts'

/** Endpoint 1111 accepts euros, 1112 dollars and pounds, 1113 everything. Group 77 has all of them, 78 the first two. */
const MERCHANT: MerchantOptions = {
  login: SHOP.login,
  controlKey: SHOP.controlKey,
  publicKey: shopKeys.publicKey,
  endpoints: [
    { id: 1111, currencies: ['EUR'], limits: { max: '100' } },
    { id: 1112, currencies: ['USD', 'GBP'], requiredFields: ['firstName'] },
    { id: 1113 },
  ],
  groups: [
    { id: 77, endpoints: [1111, 1112, 1113] },
    { id: 78, endpoints: [1112, 1111] },
  ],
}

const AT_77 = { ...SHOP, endpointId: '77' }
const AT_78 = { ...SHOP, endpointId: '78' }

function groupDesk(acquirer: Acquirer = simulator()) {
  return desk({ merchants: [MERCHANT], acquirer })
}

describe('a group', () => {
  test.for([
    ['EUR', '1111'],
    ['USD', '1112'],
    ['GBP', '1112'],
    ['CHF', '1113'],
  ] as const)('[S2-02] [G1-02] gives a sale in %s to endpoint %s', async ([currency, endpoint]) => {
    const { send, told } = groupDesk()
    const fields = { ...SALE, currency, first_name: 'John' }
    const reply = await send(controlled('/api/v2/sale/group', FORMULAS.paid, fields, AT_77))
    expect(reply).toMatchObject({ type: 'async-response', 'end-point-id': endpoint })
    expect(await told({ client_orderid: 'inv-1' })).toMatchObject({ 'end-point-id': endpoint, currency })
  })

  test('[G1-02] accepts the v4 operations too, and OAuth covers its address', async () => {
    const { send } = groupDesk()
    const fields = { client_orderid: 'out-1', amount: '1', currency: 'USD', account_number: '1', first_name: 'John' }
    const signing = { method: 'RSA-SHA256', key: shopKeys.privateKey }
    const reply = await send(oauthSigned('/api/v4/payout-check/group/78', fields, signing))
    expect(reply).toMatchObject({ type: 'async-response', 'end-point-id': '1112' })
    const moved = oauthSigned('/api/v4/payout-check/group/78', fields, { ...signing, nonce: 'b' })
    expect(await send({ ...moved, url: moved.url.replace('/78', '/77') })).toMatchObject({ http: '403' })
  })

  test('[S5.2-27] [G12-05] accepts payout-form under v4 by RSA alone, and under v2 by either method', async () => {
    const { send } = groupDesk()
    const fields = { ...MONEY, redirect_url: 'https://shop.example.com/return' }
    const ways = {
      'HMAC-SHA1': { method: 'HMAC-SHA1', key: SHOP.controlKey },
      'RSA-SHA256': { method: 'RSA-SHA256', key: shopKeys.privateKey },
    }
    const sent = [
      ['v2', 'HMAC-SHA1', '200'],
      ['v2', 'RSA-SHA256', '200'],
      ['v4', 'HMAC-SHA1', '403'],
      ['v4', 'RSA-SHA256', '200'],
    ] as const
    for (const [version, method, http] of sent) {
      const id = `${version}-${method}`
      const form = { ...fields, client_orderid: id }
      const request = oauthSigned(`/api/${version}/payout-form/group/77`, form, { ...ways[method], nonce: id })
      expect([id, await send(request)]).toMatchObject([id, { http }])
    }
  })

  test.for([
    ['make-rebill', 'sale'],
    ['make-rebill-sale', 'sale'],
    ['make-rebill-preauth', 'preauth'],
  ] as const)('[G1-02] [G12-01] gets %s, which makes a %s as at an endpoint', async ([name, type]) => {
    const { send, sale, cardRef, shown } = groupDesk()
    const cardrefid = await cardRef(await sale())
    const fields = { login: 'shop', client_orderid: 'r-1', cardrefid, ...MONEY }
    await send(controlled(`/api/v2/${name}/group`, FORMULAS.rebilled, fields, AT_77))
    expect((await shown({ client_orderid: 'r-1' })).slice(0, 2)).toEqual(['approved', type])
  })

  test.for([
    [['comment'], [], 'async-response'],
    [[], ['comment'], 'validation-error'],
  ] as const)('asks of a return what the endpoint of the order requires: %j and %j', async (given) => {
    const [ofEuros, ofDollars, type] = given
    const endpoints = [
      { id: 1111, currencies: ['EUR'], requiredFields: ofEuros },
      { id: 1112, currencies: ['USD'], requiredFields: ofDollars },
    ]
    const { ask } = desk({ merchants: [{ ...MERCHANT, endpoints, groups: [{ id: 77, endpoints: [1111, 1112] }] }] })
    const reply = await ask('/api/v2/sale', { ...SALE, currency: 'USD' }, AT_77)
    const ids = { client_orderid: 'inv-1', orderid: reply['paynet-order-id'] ?? '' }
    expect(await ask('/api/v2/return', ids, AT_77)).toMatchObject({ type })
  })

  test('looks an order up once for a request that lacks nothing anywhere', async () => {
    const store = memoryStore()
    const asked: OrderNames[] = []
    const findOrder: Store['findOrder'] = (names) => {
      asked.push(names)
      return store.findOrder(names)
    }
    const { sale, ask } = desk({ merchants: [MERCHANT], store: { ...store, findOrder } })
    const ids = await sale()
    asked.length = 0
    expect(await ask('/api/v2/status', ids, AT_77)).toMatchObject({ status: 'approved' })
    expect(asked).toHaveLength(1)
  })

  test('refuses a currency that none of its endpoints accepts, and names those that they accept', async () => {
    const { send } = groupDesk()
    const fields = { ...SALE, currency: 'CHF' }
    expect(await send(controlled('/api/v2/sale/group', FORMULAS.paid, fields, AT_78))).toMatchObject({
      http: '400',
      'error-code': '7',
      'merchant-order-id': 'inv-1',
      'error-message': 'currency (currency) must be one of USD, GBP, EUR at this endpoint.',
    })
  })

  test('applies the limits and the required fields of the endpoint that gets the request', async () => {
    const { send } = groupDesk()
    const ask = (changes: Record<string, string>) =>
      send(controlled('/api/v2/sale/group', FORMULAS.paid, { ...SALE, ...changes }, AT_77))
    expect(await ask({ amount: '100.01' })).toMatchObject({ 'error-code': '10', 'merchant-order-id': 'inv-1' })
    expect(await ask({ currency: 'USD' })).toMatchObject({ 'error-code': '1', 'merchant-order-id': 'inv-1' })
    expect(await ask({ currency: 'CHF', amount: '100.01' })).toMatchObject({ 'end-point-id': '1113' })
  })

  test('[S2-02] gives a request without a currency to its first endpoint', async () => {
    const { amount: _, currency: __, ...fields } = SALE
    const right = controlled('/api/v2/account-verification/group', FORMULAS.verified, fields, AT_77)
    expect(await groupDesk().send(right)).toMatchObject({ type: 'async-response', 'end-point-id': '1111' })
  })

  test('[G1-04] has its own id in the control, and not that of the endpoint behind it', async () => {
    const { gateway } = groupDesk()
    const right = controlled('/api/v2/sale/group', FORMULAS.paid, SALE, AT_77)
    const ofEndpoint = controlled('/api/v2/sale/group', FORMULAS.paid, SALE, SHOP)
    const crossed = { ...ofEndpoint, url: right.url }
    expect(await gateway.handle(crossed)).toMatchObject({ status: 403 })
    expect(await gateway.handle(right)).toMatchObject({ status: 200 })
  })

  test('[G1-02] is not an endpoint: an endpoint cannot be addressed as a group, and creating a recurring payment has no group', async () => {
    const { gateway } = groupDesk()
    expect(await gateway.handle(controlled('/api/v2/sale/group', FORMULAS.paid, SALE, SHOP))).toMatchObject({
      status: 403,
    })
    const recurring = oauthSigned('/api/v4/create-recurring-payment/group/77', {}, { method: 'HMAC-SHA1', key: 'k' })
    expect(await gateway.handle(recurring)).toMatchObject({ status: 404 })
  })

  test('[G1-02] has no recurring payments under its bare id either', async () => {
    const { send } = groupDesk()
    const signing = { method: 'RSA-SHA256', key: shopKeys.privateKey }
    const create = (id: string, nonce: string) =>
      send(
        oauthSigned(
          `/api/v4/create-recurring-payment/${id}`,
          { ...MONTHLY, 'client-orderid': 'rp-1' },
          { ...signing, nonce },
        ),
      )
    expect(await create('77', 'a')).toMatchObject({ http: '403', 'error-code': '4' })
    expect(await create('1111', 'b')).toMatchObject({ http: '200' })
  })

  test('a client order id sent to a group and then to its endpoint is a repeat with other content', async () => {
    const { send, ask } = groupDesk()
    await send(controlled('/api/v2/sale/group', FORMULAS.paid, SALE, AT_77))
    expect(await ask('/api/v2/sale', SALE)).toMatchObject({ 'error-code': '3' })
  })

  test('takes the later operations of an order, whose endpoint stays', async () => {
    const { send, preauth } = groupDesk()
    const ids = await preauth()
    const capture = controlled('/api/v2/capture/group', FORMULAS.modified, { login: 'shop', ...ids }, AT_77)
    expect(await send(capture)).toMatchObject({ type: 'async-response', 'end-point-id': '1111' })
  })
})

describe('an upload', () => {
  test.for(['77', '1111'])(
    '[G1-03] [S2-02] goes to a group by its bare id, or to an endpoint: %s',
    async (endpointId) => {
      const { send, sale, shown, store } = groupDesk()
      const ids: Ids = await sale({ cvv2: '321' })
      const cRes = await issuer(store).cRes(ids.orderid)
      const fields = { login: 'shop', 'client-order-id': ids.client_orderid, orderid: ids.orderid, cRes }
      const upload = controlled('/api/3ds/v1/upload-cres-result', FORMULAS.uploaded, fields, { ...SHOP, endpointId })
      expect(await send(upload)).toMatchObject({ type: 'async-response', 'end-point-id': '1111' })
      expect((await shown(ids))[0]).toBe('approved')
    },
  )

  test('[G1-03] has no address with /group/', async () => {
    const { gateway } = groupDesk()
    const reply = await gateway.handle(controlled('/api/3ds/v1/upload-cres-result/group', FORMULAS.uploaded, {}, AT_77))
    expect([reply.status, fieldsOf(reply)['error-code']]).toEqual([404, '5'])
  })
})
