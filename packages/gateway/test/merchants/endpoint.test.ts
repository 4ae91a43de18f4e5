import { describe, expect, test } from 'vitest'
import type { EndpointOptions } from '../../src/index.ts'
import type { Store } from '../../src/store-port.ts'
import { desk, MONEY, refusal, shopKeys } from '../support/desk.ts'
import { MONTHLY } from '../support/recurring.ts'
import { CARD, type Fields, PAYER, SALE, SHOP } from '../support/signed-requests.ts'
import type { TestGatewayOptions } from '../support/test-gateway.ts'

/** The shop's desk at an endpoint with these settings. */
function deskAt(endpoint: Omit<EndpointOptions, 'id'>, options: TestGatewayOptions = {}) {
  const { login, controlKey } = SHOP
  return desk({
    ...options,
    merchants: [{ login, controlKey, publicKey: shopKeys.publicKey, endpoints: [{ id: 1111, ...endpoint }] }],
  })
}

const HOSTED = { ...PAYER, redirect_url: 'https://shop.example.com/return' }
const { credit_card_number, card_printed_name, expire_month, expire_year } = CARD
const SENDER = { credit_card_number, card_printed_name, expire_month, expire_year }
const RECEIVER = { 'destination-card-no': '5555555555554444' }

/** Every operation that names an amount and a currency and needs no order. */
const WITH_MONEY: ReadonlyArray<readonly [path: string, scheme: 'ask' | 'askOAuth', fields: Fields]> = [
  ['/api/v2/sale', 'ask', { ...PAYER, ...CARD }],
  ['/api/v2/preauth', 'ask', { ...PAYER, ...CARD }],
  ['/api/v2/sale-form', 'ask', HOSTED],
  ['/api/v2/preauth-form', 'ask', HOSTED],
  ['/api/v2/payment-form', 'ask', HOSTED],
  ['/api/v2/make-rebill', 'ask', {}],
  ['/api/v2/make-rebill-preauth', 'ask', {}],
  ['/api/v2/payout', 'askOAuth', { account_number: '4081781' }],
  ['/api/v2/payout-form', 'askOAuth', HOSTED],
  ['/api/v4/payout-check', 'askOAuth', { account_number: '4081781' }],
  ['/api/v4/transfer', 'askOAuth', { ...SENDER, ...RECEIVER }],
  ['/api/v4/transfer-by-ref', 'askOAuth', RECEIVER],
  ['/api/v4/create-recurring-payment', 'askOAuth', MONTHLY],
]

describe('money that an endpoint does not accept', () => {
  test.for(WITH_MONEY)('is refused in a request for %s, and nothing is created', async ([path, scheme, fields]) => {
    const made = deskAt({ currencies: ['EUR'], limits: { max: '50' } })
    const stored = path.includes('rebill') ? { cardrefid: await made.cardRef(await made.sale()) } : {}
    const request = { ...fields, ...stored, client_orderid: 'm-1' }
    const ask = (money: Fields) => made[scheme](path, { ...request, ...money })
    expect(refusal(await ask({ amount: '50.01', currency: 'EUR' }))).toBe(
      '10: amount (amount) must be at most 50 at this endpoint.',
    )
    expect(refusal(await ask({ amount: '50.00', currency: 'USD' }))).toBe(
      '7: currency (currency) must be one of EUR at this endpoint.',
    )
    expect(refusal(await made.told({ client_orderid: 'm-1' }))).toMatch(/^2: /)
    expect(await ask({ amount: '50.00', currency: 'EUR' })).toMatchObject({ http: '200' })
  })
})

describe('the limits of one order', () => {
  test.for([
    [{ min: '10.42' }, '10.42', '10.41', 'at least 10.42'],
    [{ max: '10.42' }, '10.42', '10.43', 'at most 10.42'],
    [{ min: '1', max: '99.9' }, '99.90', '0.99', 'at least 1 and at most 99.9'],
    [{ min: '1', max: '99.9' }, '1.00', '99.91', 'at least 1 and at most 99.9'],
  ] as const)('%j: %s is taken and %s is not, by a message that says "%s"', async ([limits, right, wrong, words]) => {
    const { ask, askOAuth } = deskAt({ limits })
    expect(refusal(await ask('/api/v2/sale', { ...SALE, amount: wrong }))).toBe(
      `10: amount (amount) must be ${words} at this endpoint.`,
    )
    expect(
      refusal(
        await askOAuth('/api/v2/payout', {
          ...MONEY,
          client_orderid: 'o',
          receiver_phone: '+79001234567',
          amount: wrong,
        }),
      ),
    ).toBe(`10: amount (amount) must be ${words} at this endpoint.`)
    expect(await ask('/api/v2/sale', { ...SALE, amount: right })).toMatchObject({ type: 'async-response' })
  })

  test('do not apply to later operations of an order, or to a verification', async () => {
    const { preauth, capture, verification } = deskAt({ limits: { min: '10' } })
    expect(await capture(await preauth(), { amount: '0.42', currency: 'EUR' })).toMatchObject({ http: '200' })
    expect(await verification()).toMatchObject({ orderid: expect.any(String) })
  })

  test('an order that they refuse is not created', async () => {
    const { ask, told } = deskAt({ limits: { min: '11' } })
    await ask('/api/v2/sale', SALE)
    expect(refusal(await told({ client_orderid: 'inv-1' }))).toMatch(/^2: /)
  })
})

describe('a currency that an endpoint does not accept', () => {
  /** The shop's desk on the same store, at an endpoint that now accepts only dollars. */
  const dollarsAlone = (store: Store) => deskAt({ currencies: ['USD'] }, { store })

  test('[S3-02] [S3-05] [S3-03] does not restrict operations on existing orders in their own currency', async () => {
    const { store, sale, preauth } = desk()
    const [sold, held, whole] = [await sale(), await preauth(), await preauth()]
    const later = dollarsAlone(store)
    const part = { amount: '4.00', currency: 'EUR' }
    expect(await later.return(sold, part)).toMatchObject({ http: '200' })
    expect(await later.capture(held, part)).toMatchObject({ http: '200' })
    expect(await later.void(whole, { amount: '10.42', currency: 'EUR' })).toMatchObject({ http: '200' })
    expect(await later.shown(sold)).toEqual(['approved', 'reversal', 'reversal_approved', '6.42', '10.42'])
    expect(refusal(await later.ask('/api/v2/sale', { ...SALE, client_orderid: 'new' }))).toMatch(/^7: /)
  })

  test.for(['USD', 'GBP'])(
    "[S3-05] that is not the order's: %s is refused by the rule, accepted or not",
    async (currency) => {
      const { store, sale } = desk()
      const sold = await sale()
      const later = dollarsAlone(store)
      expect(refusal(await later.return(sold, { amount: '4.00', currency }))).toBe(
        '9: Refused by rule order-money: the currency of the order is EUR.',
      )
    },
  )
})

describe('when funds settle', () => {
  test('[G13-17] [S3-03] a sale can be voided for 24 hours, and returned before and after', async () => {
    const { sale, void: cancel, return: giveBack, clock } = desk()
    const [early, late] = [await sale(), await sale()]
    await clock.advance('24h')
    expect(refusal(await cancel(late))).toBe('9: Refused by rule S3-03: the funds are settled: return them.')
    expect(await giveBack(late)).toMatchObject({ http: '200' })
    expect(await giveBack(early)).toMatchObject({ http: '200' })
    const next = await sale()
    await clock.advance(24 * 3_600_000 - 1)
    expect(await cancel(next)).toMatchObject({ http: '200' })
  })

  test.for(['1h', 0] as const)(
    '[G13-17] `settleAfter` of %s says otherwise, for the orders of its endpoint',
    async (settleAfter) => {
      const { sale, void: cancel, clock } = deskAt({ settleAfter })
      const ids = await sale()
      await clock.advance(settleAfter)
      expect(refusal(await cancel(ids))).toMatch(/^9: Refused by rule S3-03/)
    },
  )

  test('[G13-17] `holdFor` says how long an authorization holds, for the orders of its endpoint', async () => {
    const { preauth, capture, shown, clock } = deskAt({ holdFor: '2h' })
    const [ids, captured] = [await preauth(), await preauth()]
    await clock.advance(2 * 3_600_000 - 1)
    expect(await capture(captured)).toMatchObject({ http: '200' })
    await clock.advance(1)
    expect(await shown(ids)).toEqual(['approved', 'cancel', 'cancel_approved', '0.00', '10.42'])
    expect(await shown(captured)).toEqual(['approved', 'capture', 'capture_approved', '10.42', '10.42'])
  })
})
