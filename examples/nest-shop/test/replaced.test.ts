import { Browser, officeOf } from '@tallystick/shop-kit'
import { accepted, fakeClient, rejected, signedCallback } from '@tallystick/testing'
import { expect, test } from 'vitest'
import { shopWith } from './shop-with.ts'

const FORM = accepted<'saleForm'>({ redirectUrl: 'https://gate.example.com/paynet/form/1' })
/** A journal in a new file asks for it before its first payment. */
const NO_SUCH_ORDER = rejected({ errorMessage: 'No such order', errorCode: '2' })

test('the customer sees that the gateway refused the payment, but only the back office sees its message', async () => {
  using client = fakeClient()
  client.answer('saleForm', rejected({ errorMessage: 'The shop may not sell sticks' }))
  client.always('status', NO_SUCH_ORDER)
  await using shop = await shopWith({ client })
  const browser = new Browser()
  await browser.open(shop.url)
  await browser.press(/hazel/)
  const { text, url } = await browser.settle()
  expect(text).toContain('Not paid You were not charged.')
  expect(text).not.toContain('may not sell')
  const office = await officeOf({ shop, staffPassword: shop.staffPassword }, { url })
  expect(office.page.text).toContain('The shop may not sell sticks')
})

test('the gateway gets the addresses of this shop', async () => {
  using client = fakeClient()
  client.answer('saleForm', FORM)
  client.always('status', NO_SUCH_ORDER)
  await using shop = await shopWith({ client })
  await fetch(`${shop.url}/orders`, {
    method: 'POST',
    body: new URLSearchParams({ product: 'hazel' }),
    redirect: 'manual',
  })
  expect(client.callsOf('saleForm')).toMatchObject([
    { redirectUrl: `${shop.url}/payments/return`, notifyUrl: `${shop.url}/payments/callback`, customerIp: '127.0.0.1' },
  ])
})

test('closing the app waits for a checkout in progress', async () => {
  using fake = fakeClient()
  fake.answer('saleForm', FORM)
  fake.always('status', NO_SUCH_ORDER)
  const reached = Promise.withResolvers<void>()
  const mayGoOn = Promise.withResolvers<void>()
  const saleForm: typeof fake.saleForm = async (...asked) => {
    reached.resolve()
    await mayGoOn.promise
    return await fake.saleForm(...asked)
  }
  await using shop = await shopWith({ client: { ...fake, saleForm } })
  const body = new URLSearchParams({ product: 'hazel' })
  const buying = fetch(`${shop.url}/orders`, { method: 'POST', body, redirect: 'manual' })
  await reached.promise
  const closing = shop.app.close()
  mayGoOn.resolve()
  const { status, headers } = await buying
  expect([status, headers.get('location')]).toEqual([303, 'https://gate.example.com/paynet/form/1'])
  await closing
})

test('a callback that cannot be stored gets 503, so the gateway calls again, and the log says why', async () => {
  using client = fakeClient()
  const inbox = {
    receive: async () => {
      throw new Error('the disk is full')
    },
  }
  const browserReturn = async () => ({ shown: 'unknown-order' as const })
  await using shop = await shopWith({
    client,
    journal: { inbox, browserReturn, start: () => {}, close: async () => {} },
  })
  const told = { status: 'approved', orderId: '123456789012345', clientOrderId: 'a-1-a' } as const
  const reply = await fetch(`${shop.url}/payments/callback?${signedCallback(told, client.controlKey)}`)
  expect(reply.status).toBe(503)
  expect(await reply.text()).not.toContain('disk')
  expect(shop.logged.join()).toContain('the disk is full')
})
