import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { memoryStore } from '../../src/index.ts'
import type { OrderNames } from '../../src/store/store.ts'
import { fieldsOf, form, merchants, oauthSigned, post, SALE, SHOP, sale } from '../support/signed-requests.ts'
import { testGateway } from '../support/test-gateway.ts'

/** The control of the usual sale with another amount. */
function controlOfCents(cents: string): string {
  const terms = ['1111', 'inv-1', cents, 'john.smith@gmail.com', 'B17F59B4-A7DC-41B4-8FF9-37D986B43D20']
  return createHash('sha1').update(terms.join('')).digest('hex')
}

describe('what a stranger is told', () => {
  test.for(['10.425', '10,42', '-1', '0', '010', '1e3', '12345678901'])(
    'a signed amount of %s is refused by name before the signature is judged',
    async (amount) => {
      const { gateway } = testGateway()
      const reply = await gateway.handle({ ...sale(), body: form({ ...SALE, amount, control: '0'.repeat(40) }) })
      expect([reply.status, fieldsOf(reply)['type'], fieldsOf(reply)['error-code']]).toEqual([
        400,
        'validation-error',
        '1',
      ])
      expect(fieldsOf(reply)['error-message']).toContain('amount (amount) must ')
    },
  )

  test('[G3-01] three decimals are refused even when the key fits, since no number of cents expresses them', async () => {
    const { gateway } = testGateway()
    const reply = await gateway.handle(sale({ amount: '10.425' }))
    expect(reply.status).toBe(400)
    expect(fieldsOf(reply)['error-message']).toContain('amount (amount) must have at most 2 decimals')
  })

  test.for([
    ['an unsigned field', { expire_month: '13' }],
    ['a missing field', { city: '' }],
    ['a currency that is none', { currency: 'euro' }],
    ['a card number with a wrong digit', { credit_card_number: '4444333322221112' }],
    ['rules over several fields', { country: 'US' }],
  ] as const)('%s is told to the merchant, and a stranger gets 403', async ([, wrong]) => {
    const { gateway } = testGateway()
    expect(await gateway.handle(sale(wrong))).toMatchObject({ status: 400 })
    expect(
      await gateway.handle({ ...sale(), body: form({ ...SALE, ...wrong, control: '0'.repeat(40) }) }),
    ).toMatchObject({ status: 403 })
    expect(await gateway.handle({ ...sale(), body: form({ ...SALE, ...wrong }) })).toMatchObject({ status: 403 })
  })

  test('at an OAuth operation wrong fields are reported after the signature is checked, the amount included', async () => {
    const { gateway } = testGateway()
    const wrong = { client_orderid: 'out-1', amount: '10.425', currency: 'euro', account_number: '1' }
    const signing = { method: 'HMAC-SHA1', key: SHOP.controlKey }
    expect(await gateway.handle(oauthSigned('/api/v2/payout/1111', wrong, { ...signing, key: 'guess' }))).toMatchObject(
      { status: 403 },
    )
    expect(await gateway.handle(oauthSigned('/api/v2/payout/1111', wrong, signing))).toMatchObject({ status: 400 })
    const twice = oauthSigned('/api/v2/payout/1111', wrong, signing)
    expect(await gateway.handle({ ...twice, body: `${twice.body}&amount=10.425` })).toMatchObject({ status: 403 })
  })

  test('whether an endpoint exists, takes a currency or knows an order is told only to its merchant', async () => {
    const [shop, rival] = merchants()
    const { gateway } = testGateway({
      merchants: [
        { ...shop, login: 'shop', controlKey: SHOP.controlKey, endpoints: [{ id: '1111', currencies: ['USD'] }] },
        ...(rival ? [rival] : []),
      ],
    })
    const unsigned = { ...sale(), body: form({ ...SALE, control: 'f'.repeat(40) }) }
    const replies = await Promise.all(
      ['1111', '2222', '3333', '9223372036854775807'].map((id) =>
        gateway.handle({ ...unsigned, url: `/paynet/api/v2/sale/${id}` }),
      ),
    )
    const told = replies.map(({ status, body }) => `${status} ${body.replace(/"serial-number":"[^"]+"/, '')}`)
    expect(new Set(told).size).toBe(1)
    expect(told[0]).toMatch(/^403 /)
  })

  test('nor does the time tell: a capture at an unknown endpoint asks the store for the order as well', async () => {
    const asked: OrderNames[] = []
    const store = memoryStore()
    const { gateway } = testGateway({
      store: {
        ...store,
        findOrder: async (names) => {
          asked.push(names)
          return await store.findOrder(names)
        },
      },
    })
    const named = { client_orderid: 'inv-1', orderid: '123456789012345' }
    const body = form({ login: 'shop', ...named, control: 'f'.repeat(40) })
    for (const id of ['1111', '9223372036854775807']) {
      expect(await gateway.handle(post(`/api/v2/capture/${id}`, body))).toMatchObject({ status: 403 })
    }
    const names = { login: 'shop', clientOrderId: 'inv-1', orderId: '123456789012345' }
    expect(asked).toEqual([names, names])
  })
})

describe('amounts in the control', () => {
  test.for([
    ['10.42', '1042'],
    ['0.94', '94'],
    ['10.15', '1015'],
    ['10', '1000'],
    ['10.5', '1050'],
    ['19.99', '1999'],
    ['4.35', '435'],
    ['8.2', '820'],
    ['64.1', '6410'],
    ['0.01', '1'],
  ] as const)('[S4-42] [S5.1-05] [S8-03] [G7.1-02] [G7.1-03] %s is signed as %s cents', async ([amount, cents]) => {
    const { gateway } = testGateway()
    const signed = controlOfCents(cents)
    const reply = await gateway.handle({ ...sale(), body: form({ ...SALE, amount, control: signed }) })
    expect(reply.status).toBe(200)
  })

  test('[G13-06] two decimals count in every currency, unless the profile has ISO 4217 exponents', async () => {
    const yen = { ...SALE, amount: '1000', currency: 'JPY' }
    const signed = (cents: string) => ({ ...sale(), body: form({ ...yen, control: controlOfCents(cents) }) })
    const always = testGateway().gateway
    const iso = testGateway({ profile: { exponents: 'iso-4217' } }).gateway
    expect(await always.handle(signed('100000'))).toMatchObject({ status: 200 })
    expect(await always.handle(signed('1000'))).toMatchObject({ status: 403 })
    expect(await iso.handle(signed('1000'))).toMatchObject({ status: 200 })
    expect(await iso.handle(signed('100000'))).toMatchObject({ status: 403 })
  })

  test('[G7.1-04] an absent part is empty, and no part is trimmed or changed in case', async () => {
    const { gateway } = testGateway()
    const spaced = { email: ' John.Smith@gmail.com' }
    expect(await gateway.handle(sale(spaced))).toMatchObject({ status: 200 })
    const trimmed = form({ ...SALE, ...spaced, control: controlOfCents('1042') })
    expect(await gateway.handle({ ...sale(), body: trimmed })).toMatchObject({ status: 403 })
  })
})
