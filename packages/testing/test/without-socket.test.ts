import { createCallbackHandler, createPaymentClient, type PaymentOutcome } from '@tallystick/client'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { buildInput, callbacksTo, cards, passChallenge, saleInput, serverToServer } from '../src/index.ts'
import { startedGateways } from './started-gateways.ts'

const start = startedGateways({ socket: false })

describe('a gateway without a socket', () => {
  test('accepts payments by control and by OAuth, as they would be on the wire', async () => {
    const gateway = await start()
    const client = gateway.client()
    const preauth = buildInput('preauth')
    const held = await client.preauth(preauth)
    await gateway.settled()
    expect(held.outcome).toBe('accepted')
    const { orderId = '' } = await client.status({ clientOrderId: preauth.clientOrderId })
    const captured = await client.capture(buildInput('capture', { clientOrderId: preauth.clientOrderId, orderId }))
    expect(captured.outcome).toBe('accepted')
    expect(await client.transfer(buildInput('transfer'))).toMatchObject({ outcome: 'accepted' })
  })

  test('refuses a signature with another key', async () => {
    const gateway = await start()
    const result = await gateway.client({ controlKey: 'another' }).sale(saleInput())
    expect(result).toMatchObject({ outcome: 'rejected', error: { code: 'AUTH_REJECTED', httpStatus: 403 } })
  })

  test('is reached by a client with the options in `merchant`', async () => {
    const gateway = await start()
    const one = createPaymentClient({ ...gateway.merchant })
    const other = createPaymentClient({ ...gateway.merchant })
    await one.close()
    expect(await one.sale(saleInput())).toMatchObject({ outcome: 'notSent' })
    expect(await other.sale(saleInput())).toMatchObject({ outcome: 'accepted' })
  })

  test('sends nothing once it is closed', async () => {
    const gateway = await start()
    const client = createPaymentClient({ ...gateway.merchant })
    await gateway.close()
    expect(await client.sale(saleInput())).toMatchObject({ outcome: 'notSent' })
    await expect(gateway.fetch(`${gateway.merchant.baseUrl}/form/1`)).rejects.toThrow('the gateway was closed')
  })

  test.each([
    ['loseReplyBeforeCommit', 'the connection was cut before the reply'],
    ['truncateReply', 'the connection was cut within the reply'],
  ] as const)('%s: the outcome is unknown', async (act, seen) => {
    const gateway = await start()
    gateway.next('sale')[act]()
    expect(await gateway.client().sale(saleInput())).toMatchObject({ outcome: 'unknown', error: { seen } })
  })

  test('a call that takes too long or is aborted is unknown, and continues at the gateway', async () => {
    const gateway = await start()
    const [late, given] = [saleInput(), saleInput()]
    gateway.next('sale').replySlowly()
    gateway.next('sale').replySlowly()
    const slow = await gateway.client({ timeoutMs: 20 }).sale(late)
    expect(slow).toMatchObject({ outcome: 'unknown', error: { seen: 'there was no whole reply within 20 ms' } })
    const giveUp = new AbortController()
    const giving = gateway.client().sale(given, { signal: giveUp.signal })
    await expect.poll(async () => (await gateway.orders()).length).toBe(2)
    giveUp.abort()
    expect(await giving).toMatchObject({ outcome: 'unknown', error: { seen: 'the call was aborted' } })
    const aborted = await gateway.client().sale(saleInput(), { signal: giveUp.signal })
    expect(aborted).toMatchObject({ outcome: 'notSent' })
  })

  test('its pages are opened by its own fetch', async () => {
    const gateway = await start()
    const client = gateway.client()
    const form = await client.saleForm(buildInput('saleForm'))
    const address = form.outcome === 'accepted' ? form.reply.redirectUrl : ''
    const page = await gateway.fetch(address)
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<form')])
    await expect(gateway.fetch('https://shop.example.com/')).rejects.toThrow('is no address of this gateway')

    const sale = saleInput({ ...cards.threeDsChallenge, ...serverToServer })
    await client.sale(sale)
    await gateway.settled()
    const waiting = await client.status({ clientOrderId: sale.clientOrderId })
    const { cRes } = await passChallenge(waiting, 'confirms', gateway.fetch)
    await client.uploadCresResult({ clientOrderId: sale.clientOrderId, orderId: waiting.orderId ?? '', cRes })
    await gateway.settled()
    expect(await client.status({ clientOrderId: sale.clientOrderId })).toMatchObject({ status: 'approved' })
  })

  test('its callbacks go straight to a handler', async () => {
    const outcomes: PaymentOutcome[] = []
    const gateway = await start({ sendCallback: callbacksTo((inbound) => handle(inbound)) })
    const client = gateway.client()
    const handle = createCallbackHandler({
      client,
      onOutcome: (outcome) => void outcomes.push(outcome),
      onNotice: 'ignore',
    })
    const sale = saleInput({ serverCallbackUrl: 'https://shop.example.com/payments/callback' })
    await client.sale(sale)
    await gateway.settled()
    expect(outcomes).toMatchObject([{ clientOrderId: sale.clientOrderId, status: 'approved' }])
    expect((await gateway.order(sale.clientOrderId)).callbacks).toMatchObject([{ state: 'acknowledged' }])
  })

  test('its pages read a form in Bun as well, where a content type that came from the body goes away with it', async () => {
    onTestFinished(() => void vi.unstubAllGlobals())
    const OfThisPlatform = Request
    const forgetful = function make(input: string, init: RequestInit) {
      const request = new OfThisPlatform(input, init)
      const read = request.arrayBuffer.bind(request)
      return Object.assign(request, {
        arrayBuffer: () => read().finally(() => request.headers.delete('content-type')),
      })
    }
    vi.stubGlobal('Request', forgetful)
    const gateway = await start()
    const form = buildInput('saleForm')
    const opened = await gateway.client().saleForm(form)
    await gateway.payOnPages(opened.outcome === 'accepted' ? opened.reply.redirectUrl : '', cards.approved)
    await gateway.settled()
    expect(await gateway.client().status({ clientOrderId: form.clientOrderId })).toMatchObject({ status: 'approved' })
  })
})
