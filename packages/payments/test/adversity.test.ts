import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createPaymentClient, type Exchange, merchantCredentials, type OutgoingRequest } from '@tallystick/client'
import { cards, signedCallback, type TestGateway, testControlKey } from '@tallystick/testing'
import express from 'express'
import { describe, expect, test } from 'vitest'
import { openShop, order } from './shop.ts'

const ORDER_ID = '123456789012345'

/** A client whose gateway opens forms, and shows an order as `statusOf` says. */
function clientOf({ clock, merchant }: TestGateway, statusOf: () => string) {
  const opened = new Set<string>()
  let meanwhile: (clientOrderId: string) => Promise<void> = async () => {}
  const send = async ({ url, body }: OutgoingRequest): Promise<Exchange> => {
    const clientOrderId = new URLSearchParams(body).get('client_orderid') ?? ''
    const isStatus = url.includes('/status/')
    const order = { 'merchant-order-id': clientOrderId, 'paynet-order-id': ORDER_ID, 'serial-number': 'sn-1' }
    const shown = {
      type: 'status-response',
      status: statusOf(),
      'transaction-type': 'sale',
      amount: '10.42',
      currency: 'EUR',
    }
    const opening = { type: 'async-form-response', 'redirect-url': 'https://gate.example.com/form' }
    const absent = { type: 'validation-error', 'error-code': '2', 'error-message': 'no such order' }
    const answer = isStatus && !opened.has(clientOrderId) ? absent : { ...order, ...(isStatus ? shown : opening) }
    if (!isStatus) {
      opened.add(clientOrderId)
      await meanwhile(clientOrderId)
    }
    return { kind: 'replied', httpStatus: 200, mediaType: 'application/json', body: JSON.stringify(answer) }
  }
  return {
    client: createPaymentClient({ ...merchant, clock, transport: { send, close: async () => {} } }),
    callback: (clientOrderId: string, status: string) => {
      const query = signedCallback({ status, orderId: ORDER_ID, clientOrderId, type: 'sale' }, merchant.controlKey)
      return new Request(`https://shop.example.com/payments/callback?${query}`)
    },
    /** Does something before the reply that opens a form arrives. */
    whileOpening: (act: typeof meanwhile) => {
      meanwhile = act
    },
  }
}

describe('a press', () => {
  test('with a wrong field is for a person, also when the page of the order asks later', async () => {
    const { payments } = await openShop()
    expect((await payments.pay('invoice 1', { ...order, amount: '10.421' })).show).toBe('contact-us')
    expect((await payments.find('invoice 1'))?.show).toBe('contact-us')
    expect((await payments.pay('invoice 1', order)).show).toBe('redirect')
    expect((await payments.find('invoice 1'))?.show).toBe('redirect')
  })

  test('for another order than the open one is for a person, and someone is told why', async () => {
    const { payments, events } = await openShop()
    await payments.pay('invoice 2', order)
    expect((await payments.pay('invoice 2', { ...order, amount: '9.00' })).show).toBe('contact-us')
    expect(events).toMatchObject([
      {
        type: 'PAYMENT_FAILED',
        key: 'invoice 2',
        message: expect.stringMatching(/^invoice 2: conflict, the amount has changed/),
      },
    ])
  })

  test('while the first one is being sent waits for its form, and the page of the order says "checking"', async () => {
    const { gateway, payments } = await openShop()
    gateway.next('saleForm').replySlowly()
    const first = payments.pay('invoice 3', order)
    while ((await payments.find('invoice 3')) === undefined) await new Promise(setImmediate)
    expect((await payments.find('invoice 3'))?.show).toBe('checking')
    const presses = Promise.all([first, payments.pay('invoice 3', order)])
    const isOver = presses.then(() => true)
    while (!(await Promise.race([isOver, new Promise((resolve) => setImmediate(resolve, false))]))) {
      await gateway.clock.advance('1s')
    }
    const [one, other] = await presses
    expect(other.location).toBe(one.location)
    expect(await gateway.orders()).toHaveLength(1)
  })
})

describe('keys that are changed at the gateway while the shop runs', () => {
  test('are told by the payment that meets them, and the next one is not sent', async () => {
    const { gateway } = await openShop()
    const { login, controlKey } = gateway.merchant
    const client = gateway.client()
    const { payments, events } = await openShop({ gateway: client })
    await payments.pay('invoice 1', order)
    client.useCredentials(merchantCredentials({ login, controlKey: testControlKey() }))
    expect((await payments.pay('invoice 2', order)).show).toBe('checking')
    expect((await payments.pay('invoice 3', order)).show).toBe('contact-us')
    expect(events).toContainEqual(expect.objectContaining({ type: 'WRONG_KEY' }))
    expect(events).toContainEqual(
      expect.objectContaining({
        type: 'PAYMENT_UNKNOWN',
        key: 'invoice 2',
        message: expect.stringMatching(/wrong key/i),
      }),
    )
    expect(await gateway.orders()).toHaveLength(1)
    client.useCredentials(merchantCredentials({ login, controlKey }))
    expect((await payments.pay('invoice 3', order)).show).toBe('redirect')
  })
})

describe('a payment that was declined, and is approved after all', () => {
  test('is a notice of a late payment with its amount, and no second call of onPaid', async () => {
    const { gateway } = await openShop()
    let status = 'declined'
    const { client, callback } = clientOf(gateway, () => status)
    const { payments, paid, results, notices } = await openShop({
      gateway: client,
      journal: { clock: gateway.clock },
    })
    const { intent } = await payments.pay('invoice 1', order)
    const callBack = async () => {
      await gateway.clock.advance('10s')
      expect((await payments.fetch(callback(intent?.clientOrderId ?? '', status))).status).toBe(200)
      await payments.journal.settled()
    }
    await callBack()
    expect((await payments.find('invoice 1'))?.show).toBe('declined')
    status = 'approved'
    await callBack()
    await callBack()
    expect(notices).toMatchObject([
      { kind: 'late-payment', key: 'invoice 1', amount: '10.42', kept: '10.42', currency: 'EUR' },
    ])
    expect([results, paid]).toMatchObject([[{ status: 'declined' }], []])
  })

  test('counts as paid even if its callback is there before the reply that opened the form', async () => {
    const { gateway } = await openShop()
    const { client, callback, whileOpening } = clientOf(gateway, () => 'approved')
    const { payments, paid } = await openShop({ gateway: client, journal: { clock: gateway.clock } })
    whileOpening(async (clientOrderId) => {
      expect((await payments.fetch(callback(clientOrderId, 'approved'))).status).toBe(200)
    })
    await payments.pay('invoice 1', order)
    await payments.journal.settled()
    expect(paid).toMatchObject([{ key: 'invoice 1', amount: '10.42', currency: 'EUR' }])
    expect((await payments.pay('invoice 1', order)).show).toBe('paid')
  })
})

describe('an address of the shop', () => {
  test('that changes is that of the next payment, and a payment that is open stays', async () => {
    const urls = ['https://old.example.com']
    const { gateway, payments } = await openShop({ shopUrl: () => urls.at(-1) ?? '' })
    const { location } = await payments.pay('invoice 1', order)
    urls.push('https://new.example.com/')
    expect((await payments.pay('invoice 1', order)).location).toBe(location)
    const { location: later = '' } = await payments.pay('invoice 2', order)
    expect((await gateway.payOnPages(later, cards.approved)).to).toBe('https://new.example.com/payments/return')
  })

  test('that is not known yet when a callback comes is an error of that request, and the process lives', async () => {
    const { payments } = await openShop({
      shopUrl: () => {
        throw new Error('not listening yet')
      },
    })
    const server = createServer(express().use('/payments', payments.express())).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    expect((await fetch(`http://127.0.0.1:${port}/payments/callback`)).status).toBe(500)
    server.closeAllConnections()
    server.close()
  })
})

describe('a page for the customer who comes back', () => {
  test.for([
    ['de; q = x, %%%, ,,;;q=2', 'de'],
    ['\u00ff*;q=-1', 'en'],
    ['__proto__, constructor;q=0.9', 'en'],
  ] as const)('is in some language if the browser asks for %s', async ([language, expected]) => {
    const { payments, comeBack } = await openShop()
    const { location } = await payments.pay('invoice 1', order)
    const page = await comeBack(location, cards.approved, { 'accept-language': language })
    expect([page.status, (await page.text()).match(/<html lang="(\w+)"/)?.[1]]).toEqual([200, expected])
  })

  test('shows the markup in a sentence of the shop as text', async () => {
    const { payments, comeBack } = await openShop({ texts: { en: { paid: '<script>alert("1")</script>' } } })
    const { location } = await payments.pay('invoice 1', order)
    const html = await (await comeBack(location)).text()
    expect(html).not.toContain('<script>')
    expect(html).toContain('&#60;script&#62;alert(&#34;1&#34;)')
  })
})

test('an object that is closed twice is closed', async () => {
  const { payments } = await openShop()
  await payments.close()
  await expect(payments.close()).resolves.toBeUndefined()
})

test('a listener of events that throws stops no payment', async () => {
  const { payments } = await openShop({
    onEvent: () => {
      throw new Error('the log is full')
    },
  })
  expect((await payments.pay('invoice 1', { ...order, amount: '10.421' })).show).toBe('contact-us')
})
