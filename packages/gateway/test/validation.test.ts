import { describe, expect, test } from 'vitest'
import { desk, MONEY, shopKeys } from './support/desk.ts'
import { MONTHLY } from './support/recurring.ts'
import {
  CARD,
  controlled,
  type Fields,
  fieldsOf,
  PAYER,
  RIVAL,
  SALE,
  SHOP,
  sale,
  status,
} from './support/signed-requests.ts'
import { testGateway } from './support/test-gateway.ts'

const { gateway } = testGateway()

/** Names with card numbers, however their digits are written and separated, or with twelve digits that no card could have. */
const NUMBERS_IN_NAMES = [
  '4485940822379130',
  'J 4485.9408/2237_9130',
  '４４８５９４０８２２３７９１３０',
  '٤٤٨٥٩٤٠٨٢٢٣٧٩١٣٠',
  '4485    9408    2237    9130',
  '4485*9408*2237*9130',
  '4485 Jane 9408 M 2237 Smith 9130',
  'J 2 Smith 12345678901234',
  // Eleven characters, some of which are two digits.
  '㊹⑧⑤⑨㊵⑧㉒㊲⑨⑬⓪',
]

describe('a wrong field', () => {
  test.for([
    ['expire_month', '13', 'expireMonth (expire_month) must be a whole number from 1 to 12. Send'],
    [
      'credit_card_number',
      '4444333322221112',
      'cardNumber (credit_card_number) must be 12 to 19 digits that pass the Luhn check. Send',
    ],
    ['cvv2', '12', 'cvv2 (cvv2) must be 3 or 4 digits. Send'],
    ['zip_code', '12345678901', 'zipCode (zip_code) must be text of 1 to 10 characters. Supply'],
    ['ipaddress', '256.1.1.1', 'customerIp (ipaddress) must be an IPv4 or IPv6 address. Send'],
    ['currency', 'euro', 'currency (currency) must be three capital letters (ISO 4217), such as "EUR". Send'],
    [
      'server_callback_url',
      'ftp://shop.example.com',
      'serverCallbackUrl (server_callback_url) must be an absolute http or https address',
    ],
  ] as const)(
    '[S4-07] [S7-01] [G4-06] %s is named by both its names, with bound and remedy, and not quoted',
    async ([name, value, message]) => {
      const reply = await gateway.handle(sale({ [name]: value }))
      expect(reply.status).toBe(400)
      expect(reply.headers['content-type']).toBe('application/vnd.pay+json')
      expect(fieldsOf(reply)).toMatchObject({ type: 'validation-error', 'error-code': '1' })
      expect(fieldsOf(reply)['error-message']).toContain(message)
      expect(fieldsOf(reply)['error-message']).not.toContain(value)
    },
  )

  test.for([{ city: '' }, { expire_month: '13' }, { cardrefid: '123456' }])(
    '[G4-06] is refused with the order id that was sent: %o',
    async (fields) => {
      const reply = fieldsOf(await gateway.handle(sale(fields)))
      expect(reply).toMatchObject({ type: 'validation-error', 'error-code': '1', 'merchant-order-id': 'inv-1' })
    },
  )

  test('[G4-06] is refused with the order id, even if another spelling of it is blank', async () => {
    const { askOAuth } = desk()
    const fields = { client_orderid: ' ', 'client-orderid': 'inv-1', amount: '34.00', currency: 'euro' }
    expect(await askOAuth('/api/v2/payout', fields)).toMatchObject({ 'error-code': '1', 'merchant-order-id': 'inv-1' })
  })

  test('[G4-06] that is the order id itself is not repeated', async () => {
    const reply = fieldsOf(await gateway.handle(status({ orderid: '1' })))
    expect(reply).toMatchObject({ type: 'validation-error', 'error-code': '1' })
    expect(reply).not.toHaveProperty('merchant-order-id')
  })

  test('a code that is no currency is refused, since its amounts could not be shown', async () => {
    const reply = await gateway.handle(sale({ currency: 'XXX' }))
    expect(reply.status).toBe(400)
    expect(fieldsOf(reply)['error-message']).toMatch(
      /^currency \(currency\) must be .* "XXX" stands for no currency\.$/,
    )
  })

  test.for(['card_printed_name', 'first_name', 'last_name'])(
    'a card number in %s is refused, and not quoted',
    async (name) => {
      const { gateway } = testGateway()
      for (const number of NUMBERS_IN_NAMES) {
        const reply = await gateway.handle(sale({ [name]: number }))
        expect(reply.status).toBe(400)
        expect(fieldsOf(reply)['error-message']).toContain(
          `(${name}) must have fewer than 12 digits. Send the name alone, without a card number.`,
        )
        // The serial number is random, and may hold the same four digits as the card by chance.
        const { 'serial-number': _, ...told } = fieldsOf(reply)
        expect(JSON.stringify(told)).not.toMatch(/9130|９１３０|٩١٣٠/)
      }
      expect((await gateway.handle(sale({ [name]: 'J 2 Smith 1234567890' }))).status).toBe(200)
    },
  )

  test.for(['email', 'order_desc'])(
    '[F-B17] a card number in %s is stored masked, and the status shows it so',
    async (name) => {
      for (const number of ['4485940822379130', '4485 9408 2237 9130', '4444555566661111']) {
        const { told, ask, store } = desk()
        const text = name === 'email' ? `${number.replaceAll(' ', '-')}@example.com` : `Roses, paid by ${number}`
        expect(await ask('/api/v2/sale', { ...SALE, [name]: text })).toHaveProperty('paynet-order-id')
        const [order] = await store.recentOrders('shop', 1)
        const kept = JSON.stringify([order?.details, await told({ client_orderid: 'inv-1' })])
        expect(kept).toContain(`${number.slice(0, 4)}`)
        expect(kept.replaceAll(/\D/g, '')).not.toContain(number.replaceAll(/\D/g, ''))
      }
    },
  )

  test('[F-B17] a card number in the comment of a return is stored masked', async () => {
    const { sale: pay, ask, gateway, store } = desk()
    const ids = await pay()
    await gateway.settled()
    const asked = { ...ids, comment: 'Refund to 4485940822379130', amount: '1.00', currency: 'EUR' }
    expect(await ask('/api/v2/return', asked)).toMatchObject({ type: 'async-response' })
    const [order] = await store.recentOrders('shop', 1)
    expect(order?.operations.at(-1)?.outcome.comment).toBe('Refund to 448594******9130')
  })

  test.for([
    ['client_orderid', '4444333322221111'],
    ['merchant_data', 'card=4444 3333 2222 1111;'],
    ['server_callback_url', 'https://shop.example.com/cb?card=4444%203333%202222%201111'],
    ['notify_url', 'https://shop.example.com/cb?card=%34444333322221111'],
    ['redirect_url', 'https://shop.example.com/4444-3333-2222-1111'],
    // Eight characters, two digits each.
    ['merchant_data', '\u32b9\u32b9\u325d\u325d\u3252\u3252\u246a\u246a'],
  ] as const)('[F-B17] the card of the request in %s is refused, and not quoted', async ([name, text]) => {
    const { ask, store } = desk()
    const reply = await ask('/api/v2/sale', { ...SALE, credit_card_number: '4444333322221111', [name]: text })
    expect(reply['error-message']).toContain(`(${name}) must not hold the card number.`)
    expect(reply['error-message']).not.toContain('1111')
    expect(await store.recentOrders('shop', 1)).toEqual([])
  })

  test('a number that only looks like a card number is accepted where such numbers are common', async () => {
    const { gateway } = testGateway()
    const number = '4485940822379130'
    const reply = await gateway.handle(
      sale({ client_orderid: number, order_desc: number, merchant_data: number, address1: number }),
    )
    expect(reply.status).toBe(200)
  })

  test.for(['inv\n1', 'inv\r1', 'inv\x001'])(
    '[G6-10] [F-C7] an order id that no browser brings back as it is: %j',
    async (id) => {
      const { gateway } = testGateway()
      const reply = await gateway.handle(sale({ client_orderid: id }))
      expect([reply.status, fieldsOf(reply)['error-message']]).toEqual([
        400,
        'clientOrderId (client_orderid) must be text of 1 to 128 characters, all printable. Take out tabs, line breaks, zero-width and direction marks; if it is longer, shorten it to 128 characters.',
      ])
    },
  )

  test('[S4-07] if several are wrong, each is named', async () => {
    const reply = await gateway.handle(sale({ city: '', expire_month: '0', country: 'germany' }))
    const message = fieldsOf(reply)['error-message']
    for (const name of ['city (city) is required', 'expireMonth (expire_month)', 'country (country)']) {
      expect(message).toContain(name)
    }
  })

  test('[G3.1-02] a state is required where the country has states', async () => {
    const reply = await gateway.handle(sale({ country: 'US' }))
    expect(fieldsOf(reply)['error-message']).toContain('state (state) is required when country is US, CA, AU')
  })

  test('[G9-01] [G9-02] a refused request created no order', async () => {
    const { gateway } = testGateway()
    const reply = await gateway.handle(sale({ city: '' }))
    expect(fieldsOf(reply)['paynet-order-id']).toBeUndefined()
    expect(fieldsOf(await gateway.handle(status({ client_orderid: 'inv-1' })))['error-code']).toBe('2')
    expect(await gateway.handle(sale())).toMatchObject({ status: 200 })
  })

  test('[G2.4-01] white space around a value is dropped, and & + " inside it arrive', async () => {
    const { gateway } = testGateway()
    const merchant_data = 'a & b + c "d" = 100 %'
    await gateway.handle(sale({ city: ' Berlin\t', merchant_data: `  ${merchant_data}\n` }))
    const reply = await gateway.handle(status({ client_orderid: 'inv-1' }))
    expect(fieldsOf(reply)['merchantdata']).toBe(merchant_data)
  })
})

describe('what an endpoint asks for', () => {
  const endpoints = [{ id: '1111', currencies: ['EUR', 'USD'], requiredFields: ['firstName', 'ssn'] }]
  const { gateway } = testGateway({ merchants: [{ login: SHOP.login, controlKey: SHOP.controlKey, endpoints }] })

  test('[G2.4-02] a field that it requires is named when it is absent, each by itself', async () => {
    const reply = await gateway.handle(sale({ first_name: 'John' }))
    expect(reply.status).toBe(400)
    expect(fieldsOf(reply)['error-message']).toContain('ssn (ssn) is required at this endpoint')
    expect(fieldsOf(reply)['error-message']).not.toContain('first_name')
    const both = fieldsOf(await gateway.handle(sale()))['error-message']
    expect(both).toContain('firstName (first_name) is required at this endpoint')
    expect(await gateway.handle(sale({ first_name: 'John', ssn: '1234' }))).toMatchObject({ status: 200 })
  })

  const hosted = { ...PAYER, ...MONEY, redirect_url: 'https://shop.example.com/return' }
  const account = { ...MONEY, account_number: '4081781' }

  test.for<readonly [path: string, scheme: 'ask' | 'askOAuth', fields: Fields]>([
    ['/api/v2/preauth', 'ask', SALE],
    ['/api/v2/account-verification', 'ask', { ...PAYER, ...CARD }],
    ['/api/v2/sale-form', 'ask', hosted],
    ['/api/v2/preauth-form', 'ask', hosted],
    ['/api/v2/payment-form', 'ask', hosted],
    ['/api/v2/account-verification-form', 'ask', hosted],
    ['/api/v2/payout-form', 'askOAuth', hosted],
    ['/api/v2/payout', 'askOAuth', account],
    ['/api/v4/payout-check', 'askOAuth', account],
    ['/api/v4/transfer', 'askOAuth', { ...MONEY, deposit2card: 'true', 'destination-card-no': '5555555555554444' }],
    ['/api/v4/create-recurring-payment', 'askOAuth', MONTHLY],
  ])('[G2.4-02] it is required by %s', async ([path, scheme, fields]) => {
    const { login, controlKey } = SHOP
    const endpoints = [{ id: '1111', requiredFields: ['lastName'] }]
    const made = desk({ merchants: [{ login, controlKey, publicKey: shopKeys.publicKey, endpoints }] })
    const request = { ...fields, client_orderid: 'inv-1' }
    const refused = await made[scheme](path, request)
    expect(refused).toMatchObject({ http: '400', type: 'validation-error', 'error-code': '1' })
    expect(refused['error-message']).toMatch(/^lastName \(last[_-]name\) is required at this endpoint/)
    const name = path.includes('recurring') ? 'last-name' : 'last_name'
    expect(await made[scheme](path, { ...request, [name]: 'Smith' })).toMatchObject({ http: '200' })
  })

  test('[G2.4-02] it is required of a later operation too, such as the comment of a return or a void', async () => {
    const endpoints = [{ id: '1111', requiredFields: ['comment'] }]
    const made = desk({ merchants: [{ login: SHOP.login, controlKey: SHOP.controlKey, endpoints }] })
    const ids = await made.sale()
    for (const refused of [await made.return(ids), await made.void(ids)]) {
      expect(refused).toMatchObject({ http: '400', 'error-code': '1', 'merchant-order-id': ids.client_orderid })
      expect(refused['error-message']).toMatch(/^comment \(comment\) is required at this endpoint/)
    }
    expect(await made.void(ids, { comment: 'Sold out' })).toMatchObject({ http: '200' })
  })

  test('[G2.4-02] it applies to the operations that have the field, and to no other', async () => {
    expect(fieldsOf(await gateway.handle(status({ client_orderid: 'nobody' })))['error-code']).toBe('2')
  })

  test('a currency that it does not take is refused with those it takes', async () => {
    const reply = await gateway.handle(
      sale({ client_orderid: 'inv-2', currency: 'GBP', first_name: 'John', ssn: '1234' }),
    )
    expect(reply.status).toBe(400)
    expect(fieldsOf(reply)).toMatchObject({ type: 'validation-error', 'error-code': '7', 'merchant-order-id': 'inv-2' })
    expect(fieldsOf(reply)['error-message']).toContain('currency (currency) must be one of EUR, USD')
    expect(reply.body).not.toContain('GBP')
  })

  test('every currency is taken where none is configured', async () => {
    const { gateway } = testGateway()
    expect(await gateway.handle(sale({ currency: 'XTS' }, RIVAL))).toMatchObject({ status: 200 })
  })
})

describe('names that a profile respells', () => {
  const wireNames = { SaleRequest: { cvv2: 'cvc' }, StatusRequest: { login: 'merchant' } }
  const { gateway } = testGateway({ profile: { wireNames } })

  test('the gateway reads them, and leaves a CVV of another name out of what makes a repeat', async () => {
    const first = await gateway.handle(sale({ cvv2: '', cvc: '123' }))
    const again = await gateway.handle(sale({ cvv2: '', cvc: '101' }))
    expect(first.status).toBe(200)
    expect(again.body).toBe(first.body)
  })

  test('the login under another name must be that of the merchant', async () => {
    const formula = 'merchant + client_orderid + orderid + key'
    const asked = (merchant: string) => controlled('/api/v2/status', formula, { merchant, client_orderid: 'nobody' })
    expect(fieldsOf(await gateway.handle(asked('shop')))['error-code']).toBe('2')
    expect(fieldsOf(await gateway.handle(asked('rival')))['error-code']).toBe('4')
  })
})
