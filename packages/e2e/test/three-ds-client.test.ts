import { type AuthenticationResult, browserInfo, type PaymentClient, type ThreeDsStep } from '@tallystick/client'
import { cards, saleInput, startGateway, type TestCard, type TestGateway } from '@tallystick/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { formOf, walkToShop } from './support/customer.ts'

const shop = 'https://shop.example.com'
const returnUrl = `${shop}/pay/return?cart=7`
const headers = { accept: 'text/html', 'user-agent': 'Mozilla/5.0', 'accept-language': 'en' }

let gateway: TestGateway
let client: PaymentClient
beforeEach(async () => {
  gateway = await startGateway()
  client = gateway.client()
})
afterEach(() => gateway.close())

/** A sale whose customer the shop takes through 3DS by itself, or leaves to the pages of the gateway. */
async function begin(card: TestCard, browser = browserInfo({ headers })) {
  const input = saleInput({ ...card, ...browser, redirectUrl: returnUrl })
  const result = await client.sale(input)
  if (result.outcome !== 'accepted') throw new Error(`The sale was ${result.outcome}`)
  await gateway.settled()
  return { clientOrderId: input.clientOrderId, orderId: result.reply.orderId }
}

/** What the customer does with a page, up to what comes back to the shop. */
async function back(step: ThreeDsStep, answer: Readonly<Record<string, string>>): Promise<AuthenticationResult> {
  if (step.step === 'none') throw new Error('There is no page')
  const { action, fields } = await walkToShop(step.page.body, 'go', { shop, answer })
  const body = new URLSearchParams({ ...fields }).toString()
  const inbound = { method: 'POST', query: new URL(action).search.slice(1), body }
  return await client.threeDs.take(inbound, { returnUrl, headers, customerIp: '192.0.2.1' })
}

/** Goes on until there is no step left. Gives the steps, and what became of the order. */
async function walk(card: TestCard, answer: Readonly<Record<string, string>>) {
  const order = await begin(card)
  const steps: string[] = []
  let step = await client.threeDs.next(order, { returnUrl })
  while (step.step !== 'none') {
    steps.push(step.step)
    const taken = await back(step, answer)
    if (taken.taken !== 'step') throw new Error(`It was ${taken.taken}`)
    expect(taken.upload.outcome).toBe('accepted')
    step = taken.next
  }
  return { steps, outcome: step.outcome.outcome }
}

describe('[G8-01] the shop takes its customer through 3DS', () => {
  test.each([
    ['a challenge', cards.threeDs, ['challenge']],
    ['the method frame and a challenge', cards.threeDsMethod, ['method', 'challenge']],
    ['the method frame alone', cards.threeDsFrictionless, ['method']],
    ['no method URL and a challenge', cards.threeDsNoMethodUrl, ['challenge']],
    ['3-D Secure 1.0.2', cards.threeDsPaReq, ['pareq']],
  ])('[G8-02] [G8-03] by %s', async (_what, card, steps) => {
    expect(await walk(card, { code: 'hint' })).toEqual({ steps, outcome: 'approved' })
  })

  test('a customer who cancels pays nothing', async () => {
    expect(await walk(cards.threeDs, { cancel: '1' })).toEqual({ steps: ['challenge'], outcome: 'declined' })
  })

  test('a return that comes twice changes nothing', async () => {
    const order = await begin(cards.threeDs)
    const step = await client.threeDs.next(order, { returnUrl })
    if (step.step === 'none') throw new Error('There is no page')
    const { action, fields } = await walkToShop(step.page.body, 'go', { shop, answer: { code: 'hint' } })
    const query = new URL(action).search.slice(1)
    const inbound = { method: 'POST', query, body: new URLSearchParams({ ...fields }).toString() }
    const [first, second] = [
      await client.threeDs.take(inbound, { returnUrl }),
      await client.threeDs.take(inbound, { returnUrl }),
    ]
    expect(first).toMatchObject({ upload: { outcome: 'accepted' }, next: { outcome: { outcome: 'approved' } } })
    expect(second).toMatchObject({ upload: { outcome: 'rejected' }, next: { outcome: { outcome: 'approved' } } })
  })

  test('a changed CRes is no proof', async () => {
    const order = await begin(cards.threeDs)
    const step = await client.threeDs.next(order, { returnUrl })
    if (step.step === 'none') throw new Error('There is no page')
    const { threeDSSessionData = '' } = formOf(step.page.body, 'go').fields
    const cres = Buffer.from('{"messageType":"CRes","transStatus":"Y"}').toString('base64url')
    const body = new URLSearchParams({ cres, threeDSSessionData }).toString()
    const taken = await client.threeDs.take({ method: 'POST', query: 'cart=7', body }, { returnUrl })
    expect(taken).toMatchObject({ taken: 'step', next: { step: 'none', outcome: { outcome: 'declined' } } })
  })

  test('the frame of the method step completes with a page for the page around it', async () => {
    const step = await client.threeDs.next(await begin(cards.threeDsMethod), { returnUrl })
    if (step.step === 'none') throw new Error('There is no page')
    const { action, fields } = await walkToShop(step.page.body, 'frame', { shop, answer: {} })
    const query = new URL(action).search.slice(1)
    const notice = { method: 'POST', query, body: new URLSearchParams({ ...fields }).toString() }
    expect(await client.threeDs.take(notice, { returnUrl })).toMatchObject({ taken: 'frame', page: { status: 200 } })
  })
})

test('[G8-04] the gateway takes the customer through 3DS itself, and the result is confirmed by status', async () => {
  const order = await begin(cards.threeDs, { browserInfo: false })
  const step = await client.threeDs.next(order, { returnUrl })
  expect(step).toMatchObject({ step: 'redirect', page: { status: 303 } })
  if (step.step !== 'redirect' || step.url === undefined) throw new Error('There is no address')
  const page = await (await fetch(step.url)).text()
  const { fields } = await walkToShop(page, undefined, { shop, answer: { code: 'hint' } })
  const body = new URLSearchParams({ ...fields }).toString()
  const taken = await client.threeDs.take({ method: 'POST', query: 'cart=7', body }, { returnUrl })
  expect(taken).toMatchObject({ taken: 'return', ...order, next: { step: 'none', outcome: { outcome: 'approved' } } })
})

test('a payment without 3DS has no step', async () => {
  const step = await client.threeDs.next(await begin(cards.approved), { returnUrl })
  expect(step).toMatchObject({ step: 'none', outcome: { outcome: 'approved' } })
})
