import { describe, expect, test } from 'vitest'
import { type EndpointOptions, type MerchantOptions, newVaultKeys, readVaultKeys, simulator } from '../../src/index.ts'
import { pooledRandomness } from '../../src/runtime/system.ts'
import { deciding, listening } from '../support/acquirers.ts'
import { desk, MONEY, refusal, shopKeys } from '../support/desk.ts'
import { fieldsOf, merchants, PAYER, SALE, sale } from '../support/signed-requests.ts'
import { committing } from '../support/stores.ts'

describe('a client order id that may be used again', () => {
  test('[G13-29] makes an order each time, even with the same content; its status is that of the youngest', async () => {
    const { acquirer, executed } = listening()
    const { ask, told } = desk({ allowRepeats: true, acquirer })
    const replies = [
      await ask('/api/v2/sale', SALE),
      await ask('/api/v2/sale', SALE),
      await ask('/api/v2/sale', { ...SALE, amount: '11.00' }),
    ]
    const ids = replies.map((reply) => reply['paynet-order-id'] ?? '')
    expect(new Set(ids).size).toBe(3)
    expect(executed).toHaveLength(3)
    expect(await told({ client_orderid: 'inv-1' })).toMatchObject({ 'paynet-order-id': ids[2], amount: '11.00' })
    expect(await told({ client_orderid: 'inv-1', orderid: ids[0] ?? '' })).toMatchObject({ amount: '10.42' })
  })

  test('[G13-29] [G3.2-11] is told apart by the serial number of its request', async () => {
    const { ask, told } = desk({ allowRepeats: true })
    const [first, second] = [await ask('/api/v2/sale', SALE), await ask('/api/v2/sale', SALE)]
    for (const { 'serial-number': serial = '', 'paynet-order-id': id } of [first, second]) {
      expect(await told({ client_orderid: 'inv-1', 'by-request-sn': serial })).toMatchObject({ 'paynet-order-id': id })
    }
  })
})

describe('a client order id whose order was changed meanwhile', () => {
  test('[G13-10] gets the first answer, with the serial number of the first request', async () => {
    const { ask, capture, return: giveBack } = desk()
    const first = await ask('/api/v2/preauth', SALE)
    const ids = { client_orderid: SALE.client_orderid, orderid: first['paynet-order-id'] ?? '' }
    await capture(ids)
    await giveBack(ids)
    expect(await ask('/api/v2/preauth', SALE)).toEqual(first)
  })
})

describe('a client order id after a restart', () => {
  test('[G13-10] gets the first answer with its serial number, if the keys are the same', async () => {
    const vaultKeys = readVaultKeys(newVaultKeys(pooledRandomness(), 'kept').reveal())
    const { ask, gateway, store } = desk({ vaultKeys })
    const first = await ask('/api/v2/sale', SALE)
    await gateway.close()
    const { acquirer, executed } = listening()
    const next = desk({ store, vaultKeys, acquirer })
    expect(await next.ask('/api/v2/sale', SALE)).toEqual(first)
    expect(await next.ask('/api/v2/sale', { ...SALE, amount: '11' })).toMatchObject({ 'error-code': '3' })
    expect(executed).toEqual([])
  })
})

describe('a repeat of a request that was carried out, but would be refused now', () => {
  const vaultKeys = readVaultKeys(newVaultKeys(pooledRandomness(), 'kept').reveal())
  const asConfigured = (settings: Omit<EndpointOptions, 'id'>) => {
    const [shop, ...others] = merchants({ shop: shopKeys.publicKey })
    return [{ ...shop, endpoints: [{ id: '1111', ...settings }] } as MerchantOptions, ...others]
  }

  test.for([
    ['limits', { limits: { max: '5.00' } }, '10'],
    ['currencies', { currencies: ['USD'] }, '7'],
    ['required fields', { requiredFields: ['birthday'] }, '1'],
  ] as const)('[G13-10] [G9-01] by other %s of the endpoint gets the first answer', async ([, settings, code]) => {
    const { ask, store } = desk({ vaultKeys })
    const first = await ask('/api/v2/sale', SALE)
    const { acquirer, executed } = listening()
    const next = desk({ store, vaultKeys, acquirer, merchants: asConfigured(settings) })
    expect(await next.ask('/api/v2/sale', SALE)).toEqual(first)
    for (const changes of [{ client_orderid: 'inv-2' }, { order_desc: 'other content' }]) {
      expect(await next.ask('/api/v2/sale', { ...SALE, ...changes })).toMatchObject({ 'error-code': code })
    }
    expect(executed).toEqual([])
  })

  test('[G13-10] gets the first answer while the store accepts nothing', async () => {
    const { ask, store } = desk({ vaultKeys })
    const first = await ask('/api/v2/sale', SALE)
    const commit = () => Promise.reject(new Error('the disk is full'))
    expect(await desk({ store: { ...store, commit }, vaultKeys }).ask('/api/v2/sale', SALE)).toEqual(first)
  })

  test('[G9-01] is not told that nothing was created if its fields are wrong now', async () => {
    const { askOAuth, ask, store } = desk()
    const payout = { 'client-orderid': 'out-1', ...MONEY, account_number: 'DE00 EXAMPLE' }
    const wrong = { ...payout, currency: 'euro' }
    expect(await askOAuth('/api/v2/payout', wrong)).toMatchObject({ 'error-code': '1' })
    await askOAuth('/api/v2/payout', payout)
    const refused = await askOAuth('/api/v2/payout', wrong)
    expect(refused).toMatchObject({ type: 'validation-error', 'error-code': '3', 'merchant-order-id': 'out-1' })
    expect(refused['error-message']).toContain(
      'clientOrderId (client_orderid) was used before. Ask for its status before you choose a new id. Wrong fields: currency (currency) must be three capital letters',
    )
    expect(await askOAuth('/api/v4/payout-check', wrong)).toMatchObject({ 'error-code': '3' })
    expect(await ask('/api/v2/void', { client_orderid: 'out-1', orderid: '1', amount: 'none' })).toMatchObject({
      'error-code': '1',
    })
    const repeated = desk({ store, allowRepeats: true })
    expect(await repeated.askOAuth('/api/v2/payout', wrong, { nonce: 'later' })).toMatchObject({ 'error-code': '1' })
  })

  test('[G13-10] gets the first answer from a form, too', async () => {
    const { ask, store } = desk({ vaultKeys })
    const form = { ...PAYER, ...MONEY, client_orderid: 'inv-1', redirect_url: 'https://shop.example.com/back' }
    const first = await ask('/api/v2/sale-form', form)
    const next = desk({ store, vaultKeys, merchants: asConfigured({ limits: { max: '5.00' } }) })
    expect(await next.ask('/api/v2/sale-form', form)).toEqual(first)
  })

  test('[G13-10] gets the first answer while the acquirer accepts no cards; a new request fails', async () => {
    let isAway = false
    const { tokenize } = simulator()
    const acquirer = deciding({
      tokenize: async (instrument) => {
        if (isAway) throw new Error('the acquirer is away')
        return await tokenize(instrument)
      },
    })
    const { ask } = desk({ acquirer })
    const first = await ask('/api/v2/sale', SALE)
    isAway = true
    expect(await ask('/api/v2/sale', SALE)).toEqual(first)
    expect(await ask('/api/v2/sale', { ...SALE, client_orderid: 'inv-2' })).toMatchObject({ http: '500' })
  })

  test('[G13-29] is refused if client order ids may be used again: it asks for another order', async () => {
    const { ask, store } = desk({ vaultKeys, allowRepeats: true })
    await ask('/api/v2/sale', SALE)
    const merchants = asConfigured({ limits: { max: '5.00' } })
    const next = desk({ store, vaultKeys, allowRepeats: true, merchants })
    expect(await next.ask('/api/v2/sale', SALE)).toMatchObject({ http: '400', 'error-code': '10' })
  })

  test('[S5.2-06] gets 403 if it has the same nonce, like any other', async () => {
    const { oauth, send, store } = desk({ vaultKeys })
    const payout = oauth('/api/v2/payout', { client_orderid: 'out-1', ...MONEY, account_number: '1' })
    expect(await send(payout)).toMatchObject({ http: '200' })
    const next = desk({ store, vaultKeys, merchants: asConfigured({ limits: { max: '5.00' } }) })
    expect(await next.send(payout)).toMatchObject({ http: '403', 'error-code': '4' })
  })
})

describe('an address that could never be called, or gives a password away', () => {
  test.for([
    ['server_callback_url', 'https://user:pw@shop.example.com/', 'must hold no user name and no password.'],
    ['server_callback_url', 'https://shop.example.com:8081/', 'must name port 80 or 8080 with http, 443 or 8443'],
    ['server_callback_url', 'http://shop.example.com:443/', 'must name port 80 or 8080 with http, 443 or 8443'],
    ['server_callback_url', 'https://10.0.0.1/', 'must name a public host.'],
    ['notify_url', 'https://[::1]/', 'must name a public host.'],
    ['notify_url', 'https://shop.example.com:22/', 'must name port 80 or 8080 with http, 443 or 8443'],
    ['server_callback_url', 'https://shop.example.com/?orderid=77', 'must not have orderid in its query: a callback'],
    ['notify_url', 'https://shop.example.com/?a=b&type=card', 'must not have type in its query: a callback adds it.'],
    ['redirect_url', 'https://user:pw@shop.example.com/', 'must hold no user name and no password.'],
    ['redirect_success_url', 'https://:pw@shop.example.com/', 'must hold no user name and no password.'],
    ['redirect_fail_url', 'https://user:pw@shop.example.com/', 'must hold no user name and no password.'],
  ] as const)('%s of %s is refused, and nothing is created', async ([name, address, words]) => {
    const { ask, told } = desk()
    const reply = await ask('/api/v2/sale', { ...SALE, [name]: address })
    expect(reply).toMatchObject({ http: '400', 'error-code': '1', 'merchant-order-id': 'inv-1' })
    expect(reply['error-message']).toContain(`(${name}) ${words}`)
    expect(reply['error-message']).not.toContain('pw')
    expect(refusal(await told({ client_orderid: 'inv-1' }))).toMatch(/^2: /)
  })

  test('may have a query of its own, and the return address any query', async () => {
    const { ask, calls } = desk()
    const redirect_url = 'https://shop.example.com/back?orderid=77'
    const reply = await ask('/api/v2/sale', { ...SALE, redirect_url, notify_url: 'https://shop.example.com/?shop=7' })
    expect(reply).toMatchObject({ http: '200' })
    expect(calls).toMatchObject([expect.stringMatching(/^https:\/\/shop\.example\.com\/\?shop=7&status=approved&/)])
  })

  test('may be this machine, on any port, in a sandbox', async () => {
    const { ask, calls } = desk({ sandbox: true })
    await ask('/api/v2/sale', { ...SALE, server_callback_url: 'http://127.0.0.1:4711/cb' })
    expect(calls).toMatchObject([expect.stringMatching(/^http:\/\/127\.0\.0\.1:4711\/cb\?status=approved&/)])
  })
})

describe('a control that was given for something else', () => {
  const text = (clientOrderId: string, amount: string) => ({ ...SALE, client_orderid: clientOrderId, amount })

  test('is refused for the same text divided elsewhere: order A for 110.00 is not order A1 for 10.00', async () => {
    const { ask, send, request, told } = desk()
    const [given, forged] = [request('/api/v2/sale', text('A', '110.00')), request('/api/v2/sale', text('A1', '10.00'))]
    const control = (body: string) => new URLSearchParams(body).get('control')
    expect(control(given.body)).toBe(control(forged.body))
    expect(await send(given)).toMatchObject({ http: '200' })
    expect(await send(forged)).toMatchObject({ http: '400', 'error-code': '15' })
    expect(refusal(await told({ client_orderid: 'A1' }))).toMatch(/^2: /)
    expect(await ask('/api/v2/sale', text('A', '110.00'))).toMatchObject({ http: '200' })
  })

  test('[G7.1-01] is refused in capital letters, too', async () => {
    const { send, request } = desk()
    const [given, forged] = [request('/api/v2/sale', text('A', '110.00')), request('/api/v2/sale', text('A1', '10.00'))]
    const inCapitals = forged.body.replace(/(?<=control=).*/, (control) => control.toUpperCase())
    expect(inCapitals).toMatch(/control=[0-9A-F]{40}$/)
    expect(await send(given)).toMatchObject({ http: '200' })
    expect(await send({ ...forged, body: inCapitals })).toMatchObject({ http: '400', 'error-code': '15' })
  })

  test('does not matter with OAuth: two requests may have the same', async () => {
    const { payout, shown } = desk()
    for (const client_orderid of ['A', 'B']) {
      const ids = await payout({ client_orderid, account_number: '4081781', control: 'unused' })
      expect((await shown(ids))[0]).toBe('approved')
    }
  })

  test.for([true, false])(
    '[F-D3] is a validation error that names the cause, in a sandbox (%s) or not',
    async (sandbox) => {
      const { ask, told } = desk({ sandbox })
      await ask('/api/v2/sale', text('12', '3.45'))
      const refused = await ask('/api/v2/sale', text('1', '23.45'))
      expect(refused).toMatchObject({
        http: '400',
        type: 'validation-error',
        'error-code': '15',
        'merchant-order-id': '1',
      })
      expect(refused['error-message']).toContain('choose an id that begins and ends with a letter')
      expect(refusal(await told({ client_orderid: '1' }))).toMatch(/^2: /)
    },
  )
})

describe('what happens at the same time', () => {
  test('if an order id is taken already, another is chosen', async () => {
    const ids = ['100000000000001', '100000000000001', '100000000000002']
    let serial = 0
    const made = desk({
      ids: { orderId: () => ids.shift() ?? '', serialNumber: () => `serial-${++serial}`, pageToken: () => 'token' },
    })
    expect((await made.sale()).orderid).toBe('100000000000001')
    expect((await made.sale()).orderid).toBe('100000000000002')
  })

  test('if the order changes while a capture is decided, the capture is decided again', async () => {
    let races = 0
    const store = committing(async ({ order }, commit) => {
      const isCapture = order?.order.operations.at(-1)?.kind === 'capture'
      if (isCapture && order?.order.operations.at(-1)?.status === 'sent' && races++ < 2) {
        return { ok: false, conflict: 'order' }
      }
      return await commit()
    })
    const { preauth, capture, shown } = desk({ store })
    const ids = await preauth()
    expect(await capture(ids)).toMatchObject({ http: '200' })
    expect(races).toBe(3)
    expect(await shown(ids)).toEqual(['approved', 'capture', 'capture_approved', '10.42', '10.42'])
  })

  test('if the order changes while an outcome is decided, the outcome is written on the order as it is', async () => {
    let races = 0
    const store = committing(async ({ order }, commit) => {
      if (order?.order.operations[0]?.status === 'approved' && races++ === 0) return { ok: false, conflict: 'order' }
      return await commit()
    })
    const { sale: sell, shown } = desk({ store })
    expect((await shown(await sell()))[0]).toBe('approved')
    expect(races).toBe(2)
  })

  test('an order that is no longer in the store is a failure, and is reported', async () => {
    const lost = committing(async ({ order }, commit) =>
      order?.basedOn === 'nothing' ? await commit() : { ok: false, conflict: 'order' },
    )
    const { gateway, heard } = desk({ store: { ...lost, orderById: async () => undefined } })
    const reply = await gateway.handle(sale())
    await gateway.settled()
    expect(heard).toMatchObject([
      [{ message: expect.stringMatching(/^Order \d{15} not found in the store$/) }, fieldsOf(reply)['serial-number']],
    ])
  })
})
