import { describe, expect, test } from 'vitest'
import { listening } from '../support/acquirers.ts'
import { desk, MONEY } from '../support/desk.ts'
import { PAYER } from '../support/signed-requests.ts'

const FORM = { ...PAYER, redirect_url: 'https://shop.example.com/return' }
const PAGE = /^https:\/\/gate\.example\.com\/paynet\/form\/[\w-]{22}$/

describe('a form operation', () => {
  test.for([
    ['/api/v2/sale-form', 'sale', 'sale'],
    ['/api/v2/preauth-form', 'preauth', 'preauth'],
    ['/api/v2/payment-form', 'sale', 'payment'],
  ] as const)('[G4-02] %s registers a %s that waits for its page', async ([path, type, page]) => {
    const { acquirer, executed } = listening()
    const { ask, shown, store } = desk({ acquirer })
    const reply = await ask(path, { ...FORM, ...MONEY })
    expect(reply).toEqual({
      type: 'async-form-response',
      'serial-number': expect.any(String),
      'merchant-order-id': 'inv-1',
      'paynet-order-id': expect.stringMatching(/^[1-9]\d{14}$/),
      'end-point-id': '1111',
      'redirect-url': expect.stringMatching(PAGE),
      http: '200',
    })
    expect(await shown({ client_orderid: 'inv-1' })).toEqual(['processing', type, undefined, '0.00', '34.00'])
    const token = reply['redirect-url']?.slice(-22) ?? ''
    expect((await store.orderByPageToken(token))?.details.pages).toMatchObject({ token, form: page })
    expect(executed).toEqual([])
  })

  test('[G4-02] account-verification-form has no amount, and payout-form pays money out', async () => {
    const { ask, askOAuth, told, shown } = desk()
    expect(await ask('/api/v2/account-verification-form', FORM)).toMatchObject({
      'redirect-url': expect.stringMatching(PAGE),
    })
    expect(await told({ client_orderid: 'inv-1' })).not.toHaveProperty('amount')
    const fields = { client_orderid: 'out-1', ...MONEY, redirect_url: FORM.redirect_url }
    expect(await askOAuth('/api/v2/payout-form', fields)).toMatchObject({ 'redirect-url': expect.stringMatching(PAGE) })
    expect(await shown({ client_orderid: 'out-1' })).toEqual(['processing', 'payout', undefined, '0.00', '34.00'])
  })

  test('a repeat gets the same page, and other content is refused', async () => {
    const { ask } = desk()
    const first = await ask('/api/v2/sale-form', { ...FORM, ...MONEY })
    expect(await ask('/api/v2/sale-form', { ...FORM, ...MONEY })).toEqual(first)
    expect(await ask('/api/v2/preauth-form', { ...FORM, ...MONEY })).toMatchObject({ 'error-code': '3' })
  })

  test('an order whose page was never filled in is not looked up when the gateway starts again', async () => {
    const { ask, store, gateway } = desk()
    await ask('/api/v2/sale-form', { ...FORM, ...MONEY })
    await gateway.close()
    const { acquirer, lookedUp, executed } = listening()
    const next = desk({ store, acquirer })
    await next.recovered()
    expect([lookedUp, executed]).toEqual([[], []])
  })
})
