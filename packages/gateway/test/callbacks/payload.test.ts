import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { APPROVED, deciding, UNKNOWN } from '../support/acquirers.ts'
import { desk } from '../support/desk.ts'
import { type Fields, fieldsOf, RIVAL, SHOP, sale, status } from '../support/signed-requests.ts'
import { type TestGatewayOptions, testGateway } from '../support/test-gateway.ts'

const CALLBACK = 'https://shop.example.com/callback'

/** A sale, with the callbacks that it caused. */
async function calledBack(changes: Fields, options: TestGatewayOptions = {}) {
  const { gateway, calls } = testGateway(options)
  const orderId = fieldsOf(await gateway.handle(sale(changes)))['paynet-order-id'] ?? ''
  await gateway.settled()
  return { gateway, calls, orderId }
}

function query(url: string | undefined): Fields {
  return Object.fromEntries(new URL(url ?? '').searchParams)
}

function sha1(...terms: readonly string[]): string {
  return createHash('sha1').update(terms.join('')).digest('hex')
}

describe('a callback', () => {
  test('[S1-15] [S4-33] [S6-02] [S6-03] [G6-06] [G6-07] of an approved sale has the documented parameters', async () => {
    const names = { first_name: 'John', last_name: 'Smith', merchant_data: 'a=1&b="2" + ü' }
    const { calls, orderId } = await calledBack({ server_callback_url: CALLBACK, ...names })
    expect(calls).toHaveLength(1)
    expect(calls[0]).toMatch(/^https:\/\/shop\.example\.com\/callback\?status=approved&[!-~]+$/)
    expect(query(calls[0])).toEqual({
      status: 'approved',
      merchant_order: 'inv-1',
      client_orderid: 'inv-1',
      orderid: orderId,
      type: 'sale',
      amount: '10.42',
      currency: 'EUR',
      name: 'John Smith',
      email: 'john.smith@gmail.com',
      phone: '+4930123456',
      'approval-code': orderId.slice(-6),
      'last-four-digits': '1111',
      bin: '444433',
      'card-type': 'VISA',
      'processor-tx-id': `PNTEST-${orderId}`,
      'paynet-processing-date': '2030-01-01 00:00:00 UTC',
      'card-holder-name': 'JOHN SMITH',
      merchantdata: 'a=1&b="2" + ü',
      control: sha1('approved', orderId, 'inv-1', SHOP.controlKey),
    })
  })

  test('leaves out merchantdata if its address would be longer than 8000 bytes; the status has it', async () => {
    const sold = (merchant_data: string) => calledBack({ server_callback_url: CALLBACK, merchant_data })
    const { calls: shortest } = await sold('x')
    const most = 'x'.repeat(8000 - (shortest[0] ?? '').length + 1)
    const { calls: longest } = await sold(most)
    expect([longest[0]?.length, query(longest[0])['merchantdata']]).toEqual([8000, most])

    const { calls, gateway, orderId } = await sold(`${most}x`)
    expect(query(calls[0])).toMatchObject({ status: 'approved', orderid: orderId })
    expect(query(calls[0])).not.toHaveProperty('merchantdata')
    const told = fieldsOf(await gateway.handle(status({ client_orderid: 'inv-1', orderid: orderId })))
    expect(told['merchantdata']).toBe(`${most}x`)
  })

  test('leaves out other texts too if these have their full length; what is signed stays', async () => {
    const wide = (length: number) => '\u6f22'.repeat(length)
    const names = { first_name: wide(50), last_name: wide(50), card_printed_name: wide(128), email: `${wide(48)}@a` }
    const merchant_data = 'cart 7'
    const changes = { client_orderid: wide(128), server_callback_url: CALLBACK, ...names, merchant_data }
    const errorMessage = wide(500)
    const execute = async () => ({ status: 'declined', errorCode: '100', errorMessage }) as const
    const { calls, gateway, orderId } = await calledBack(changes, { acquirer: deciding({ execute }) })
    expect(calls[0]?.length).toBeLessThanOrEqual(8000)
    const told = query(calls[0])
    expect(told).toMatchObject({ status: 'declined', error_code: '100', orderid: orderId, client_orderid: wide(128) })
    expect(told).toMatchObject({ name: `${wide(50)} ${wide(50)}`, 'card-holder-name': wide(128) })
    expect([told['merchantdata'], told['error_message']]).toEqual([undefined, undefined])
    const shown = fieldsOf(await gateway.handle(status({ client_orderid: wide(128), orderid: orderId })))
    expect(shown).toMatchObject({ 'error-message': errorMessage, merchantdata: merchant_data })
  })

  test('counts the length of an address with other letters as it is called', async () => {
    const server_callback_url = `${CALLBACK}?q=${'\u044f'.repeat(300)}`
    const { calls } = await calledBack({ server_callback_url, merchant_data: 'x'.repeat(6500) })
    expect(new URL(calls[0] ?? '').href.length).toBeLessThanOrEqual(8000)
    expect(query(calls[0])).toMatchObject({ q: '\u044f'.repeat(300), status: 'approved' })
  })

  test('[G6-06] [G6-07] of a declined sale says why, and has no name when none was given', async () => {
    const { calls, orderId } = await calledBack({ server_callback_url: CALLBACK, cvv2: '116' })
    expect(query(calls[0])).toEqual({
      status: 'declined',
      merchant_order: 'inv-1',
      client_orderid: 'inv-1',
      orderid: orderId,
      'paynet-processing-date': '2030-01-01 00:00:00 UTC',
      type: 'sale',
      amount: '10.42',
      currency: 'EUR',
      error_code: '116',
      error_message: 'Not sufficient funds',
      email: 'john.smith@gmail.com',
      phone: '+4930123456',
      'last-four-digits': '1111',
      bin: '444433',
      'card-type': 'VISA',
      'card-holder-name': 'JOHN SMITH',
      control: sha1('declined', orderId, 'inv-1', SHOP.controlKey),
    })
  })

  test('[G6-07] is signed over UTF-8, by the key of the merchant whose order it is', async () => {
    const { gateway, calls } = testGateway()
    await gateway.handle(sale({ client_orderid: 'Rosen für Jürgen', server_callback_url: CALLBACK }, RIVAL))
    await gateway.settled()
    const { control, orderid = '' } = query(calls[0])
    expect(control).toBe(sha1('approved', orderid, 'Rosen für Jürgen', RIVAL.controlKey))
  })

  test.for([
    ['https://shop.example.com', 'https://shop.example.com?status='],
    ['https://shop.example.com/cb', 'https://shop.example.com/cb?status='],
    ['https://shop.example.com/cb?shop=7&lang=de', 'https://shop.example.com/cb?shop=7&lang=de&status='],
    ['https://shop.example.com/cb?q=%C3%A4+b', 'https://shop.example.com/cb?q=%C3%A4+b&status='],
    ['https://shop.example.com/cb#top', 'https://shop.example.com/cb?status='],
    ['https://shop.example.com/cb?shop=7#top?x', 'https://shop.example.com/cb?shop=7&status='],
    ['http://shop.example.com:8080/cb', 'http://shop.example.com:8080/cb?status='],
  ] as const)('to %s keeps the query and drops the fragment', async ([server_callback_url, beginning]) => {
    const { calls } = await calledBack({ server_callback_url })
    expect(calls[0]?.slice(0, beginning.length)).toBe(beginning)
    expect(calls[0]).not.toContain('#')
  })

  test('goes to server_callback_url, or to notify_url if there is none', async () => {
    const notify_url = 'https://shop.example.com/notify'
    const both = await calledBack({ server_callback_url: CALLBACK, notify_url })
    expect(both.calls.map((url) => new URL(url).pathname)).toEqual(['/callback'])
    const one = await calledBack({ notify_url })
    expect(one.calls.map((url) => new URL(url).pathname)).toEqual(['/notify'])
    expect((await calledBack({})).calls).toEqual([])
  })

  test('[G6-02] [G5-01] [G5-02] is not sent while a customer authenticates, since processing is not final', async () => {
    const { gateway, calls } = await calledBack({ server_callback_url: CALLBACK, cvv2: '321' })
    expect(calls).toEqual([])
    expect(fieldsOf(await gateway.handle(status({ client_orderid: 'inv-1' })))['status']).toBe('processing')
  })

  test('[G14-13] says unknown as well, and is followed by one of the outcome, under the control of its own status', async () => {
    const { sale, calls, clock, store } = desk({
      acquirer: deciding({ execute: async () => UNKNOWN, lookup: async () => APPROVED }),
    })
    const { client_orderid, orderid } = await sale({ server_callback_url: CALLBACK })
    const said = () => calls.map((url) => [query(url)['status'], query(url)['control']])
    const signed = (word: string) => sha1(word, orderid, client_orderid, SHOP.controlKey)
    expect(said()).toEqual([['unknown', signed('unknown')]])
    await clock.advance('1m')
    expect(said()).toEqual([
      ['unknown', signed('unknown')],
      ['approved', signed('approved')],
    ])
    expect(await store.deliveriesOf(orderid)).toHaveLength(1)
  })

  test('[G14-13] of the outcome replaces one of unknown that nobody has taken', async () => {
    const calls: string[] = []
    const sendCallback = async (url: string) => {
      calls.push(String(query(url)['status']))
      return { status: query(url)['status'] === 'unknown' ? 503 : 200 }
    }
    const { sale, clock } = desk({
      sendCallback,
      acquirer: deciding({ execute: async () => UNKNOWN, lookup: async () => APPROVED }),
    })
    await sale({ server_callback_url: CALLBACK })
    await clock.advance('1d')
    expect(calls.slice(calls.indexOf('approved'))).toEqual(['approved'])
  })

  test('[S6-04] [S4-41] finds the status as final as it says when it arrives', async () => {
    const seen: string[] = []
    const { gateway } = testGateway({
      sendCallback: async (url) => {
        const { client_orderid = '', orderid = '' } = query(url)
        seen.push(fieldsOf(await gateway.handle(status({ client_orderid, orderid })))['status'] ?? '')
        return { status: 200 }
      },
    })
    await gateway.handle(sale({ server_callback_url: CALLBACK }))
    await gateway.settled()
    expect(seen).toEqual(['approved'])
  })
})
