import { cards, signedCallback } from '@tallystick/testing'
import { describe, expect, test } from 'vitest'
import { openShop, order } from './shop.ts'

describe('the customer who comes back', () => {
  test('sees a page in the language of the browser, with a way to the shop', async () => {
    const { payments, url, comeBack } = await openShop()
    const { location } = await payments.pay('invoice 77', order)
    const page = await comeBack(location, cards.approved, { 'accept-language': 'fr-CH, de;q=0.9' })
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    const html = await page.text()
    expect(html).toContain('<html lang="fr">')
    expect(html).toContain('Nous avons bien reçu votre paiement.')
    expect(html).toContain(`href="${url}"`)
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  })

  test('is taken to the page of the order, if the shop has one', async () => {
    const { payments, comeBack } = await openShop({ returnTo: ({ key, show }) => `/orders/${key.slice(8)}?${show}` })
    const page = await comeBack((await payments.pay('invoice 78', order)).location, cards.insufficientFunds)
    expect([page.status, page.headers.get('location')]).toEqual([303, '/orders/78?declined'])
  })

  test('is not taken to the form again before the payment is decided', async () => {
    const shop = await openShop({ returnTo: ({ show, location }) => `/thanks?${show}&${location}` })
    const { payments, url, gateway } = shop
    const { intent } = await payments.pay('invoice 79', order)
    const { clientOrderId, orderId } = await gateway.order(intent?.clientOrderId ?? '')
    const returned = signedCallback(
      { status: 'approved', orderId, clientOrderId, type: 'sale' },
      gateway.merchant.controlKey,
    )
    const page = await fetch(`${url}/payments/return?${returned}`, { redirect: 'manual' })
    expect(page.headers.get('location')).toBe('/thanks?checking&undefined')
    expect((await payments.find('invoice 79'))?.show).toBe('redirect')
  })

  test('names no payment of the shop: is taken to the shop', async () => {
    const { url } = await openShop()
    const body = new URLSearchParams({ client_orderid: 'another', status: 'approved', orderid: '1' })
    const page = await fetch(`${url}/payments/return`, { method: 'POST', body, redirect: 'manual' })
    expect([page.status, page.headers.get('location')]).toEqual([303, url])
  })
})

describe('Express', () => {
  test('goes on with a path that is none of the routes', async () => {
    const { url } = await openShop()
    expect((await fetch(`${url}/payments/other`)).status).toBe(404)
    expect((await fetch(`${url}/payments/callback`)).status).toBe(400)
  })

  test('mounted at another path than the gateway is given: someone is told, once', async () => {
    const { url, events } = await openShop({ mountedAt: '/pay' })
    for (let calls = 0; calls < 2; calls++) await fetch(`${url}/pay/callback`)
    expect(events).toMatchObject([{ type: 'WRONG_PATH', message: expect.stringContaining('mounted at /pay,') }])
  })

  test('mounted where the option path says: callbacks arrive', async () => {
    const { payments, paid, events, comeBack } = await openShop({ mountedAt: '/shop/pay', path: '/shop/pay' })
    await comeBack((await payments.pay('invoice 80', order)).location)
    expect([paid.length, events]).toEqual([1, []])
  })
})

describe('Request and Response', () => {
  test('take callbacks and returns, and nothing else', async () => {
    const { payments, url } = await openShop()
    const answer = async (path: string) => (await payments.fetch(new Request(url + path))).status
    expect(await answer('/payments/callback')).toBe(400)
    expect(await answer('/payments/return')).toBe(303)
    expect(await answer('/api/payments/callback/')).toBe(400)
    expect(await answer('/payments')).toBe(404)
  })

  test('a request that something else has read is a 503, and someone is told', async () => {
    const { payments, url, events } = await openShop()
    const request = new Request(`${url}/payments/callback`, { method: 'POST', body: 'status=approved' })
    await request.text()
    expect((await payments.fetch(request)).status).toBe(503)
    expect(events).toMatchObject([{ type: 'ROUTE_FAILED', error: { code: 'BODY_TAKEN' } }])
  })
})
