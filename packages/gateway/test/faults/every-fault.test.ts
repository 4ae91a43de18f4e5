import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { CallbackAnswer } from '../../src/callbacks/callback-answer.ts'
import { FAULTS, type FaultName, type GatewayReply } from '../../src/index.ts'
import { listening } from '../support/acquirers.ts'
import { desk } from '../support/desk.ts'
import { issuer } from '../support/issuer.ts'
import { SAFE } from '../support/safe-headers.ts'
import { type Fields, fieldsOf, SHOP, sale } from '../support/signed-requests.ts'

const ADDRESSES = {
  server_callback_url: 'https://shop.example.com/cb',
  notify_url: 'https://shop.example.com/later',
}

/** The ways in which an order can get a fault. */
const WAYS = ['by its amount', 'by its card', 'by the API', 'by seed'] as const

/** A shop whose one order has the fault. */
function shopWith(fault: FaultName, way: (typeof WAYS)[number]) {
  const { acquirer, executed } = listening()
  const sending: PromiseWithResolvers<CallbackAnswer>[] = []
  const waits = { isOn: false }
  const calls: string[] = []
  const shop = desk({
    sandbox: true,
    ...(way === 'by seed' ? { faults: { seed: 7, only: [fault] } } : {}),
    acquirer,
    sendCallback: async (url) => {
      calls.push(url)
      const answer = Promise.withResolvers<CallbackAnswer>()
      sending.push(answer)
      if (!waits.isOn) answer.resolve({ status: 200 })
      return await answer.promise
    },
  })
  const { amount, card } = FAULTS[fault]
  const fields: Fields = {
    ...ADDRESSES,
    ...(way === 'by its amount' ? { amount: `${amount / 100n}.${String(amount % 100n).padStart(2, '0')}` } : {}),
    ...(way === 'by its card' ? { credit_card_number: card } : {}),
  }
  if (way === 'by the API') shop.gateway.faults.forOrder('inv-1', fault)
  const timeline = async () => (await shop.gateway.sandbox?.orders({ clientOrderId: 'inv-1', limit: 1 }))?.[0]
  return {
    ...shop,
    fields,
    executed,
    calls,
    sending,
    waits,
    timeline,
    request: () => shop.gateway.handle(sale(fields)),
    open: (changes: Fields = {}) => shop.sale({ ...fields, client_orderid: 'inv-1', ...changes }),
    opened: async () => (await timeline()) !== undefined,
  }
}

type Shop = ReturnType<typeof shopWith>

/** Whether the control of a callback matches its fields (gaps part 6). */
function fits(url: string): boolean {
  const { status = '', orderid = '', client_orderid = '', control } = parametersOf(url)
  return (
    control ===
    createHash('sha1')
      .update(status + orderid + client_orderid + SHOP.controlKey)
      .digest('hex')
  )
}

function parametersOf(url: string): Fields {
  return Object.fromEntries(new URL(url).searchParams)
}

/** Expects the order to exist although the reply did not say so, and a repeat of the request to be answered. */
async function committed(shop: Shop): Promise<void> {
  await shop.gateway.settled()
  expect(await shop.told({ client_orderid: 'inv-1' })).toMatchObject({ status: 'approved' })
  expect(await shop.request()).toMatchObject({ status: 200, body: expect.stringContaining('async-response') })
  expect(shop.executed).toHaveLength(1)
}

async function notCommitted(shop: Shop): Promise<void> {
  expect([await shop.opened(), shop.executed]).toEqual([false, []])
  expect(await shop.request()).toMatchObject({ status: 200, body: expect.stringContaining('async-response') })
}

const LOST: GatewayReply = { status: 0, headers: {}, body: '', cut: 'before-reply' }

async function unknownThen(shop: Shop, outcome: string): Promise<void> {
  const ids = await shop.open()
  const told = () => shop.calls.map((url) => parametersOf(url)['status'])
  expect([(await shop.told(ids))['status'], told()]).toEqual(['unknown', ['unknown']])
  await shop.clock.advance('1m')
  await shop.gateway.settled()
  expect((await shop.told(ids))['status']).toBe(outcome)
  expect(told()).toEqual(['unknown', outcome])
  expect(shop.executed).toEqual([])
}

/** Expects only that the order has the fault: pages/faults.test.ts shows what it does in the browser. */
async function listed(shop: Shop, fault: FaultName): Promise<void> {
  await shop.open()
  expect((await shop.timeline())?.faults).toEqual([fault])
}

/** What each fault does. A new fault needs an entry. */
const SHOWN: { readonly [Name in FaultName]: (shop: Shop) => Promise<void> } = {
  'reply-lost-before-commit': async (shop) => {
    expect(await shop.request()).toEqual(LOST)
    await notCommitted(shop)
  },
  'reply-lost-after-commit': async (shop) => {
    expect(await shop.request()).toEqual(LOST)
    await committed(shop)
  },
  'slow-reply': async (shop) => {
    let reply: GatewayReply | undefined
    const answered = shop.request().then((each) => {
      reply = each
    })
    await new Promise(setImmediate)
    expect(await shop.opened()).toBe(true)
    await shop.clock.advance(9_999)
    expect(reply).toBeUndefined()
    await shop.clock.advance(1)
    await answered
    expect(reply).toMatchObject({ status: 200, body: expect.stringContaining('async-response') })
    await committed(shop)
  },
  'error-then-committed': async (shop) => {
    const reply = await shop.request()
    expect([reply.status, fieldsOf(reply)]).toMatchObject([500, { type: 'error', 'error-code': '6' }])
    expect(fieldsOf(reply)['serial-number']).toMatch(/^[\da-f-]{36}$/)
    await committed(shop)
  },
  overloaded: async (shop) => {
    const reply = await shop.request()
    expect([reply.status, reply.headers['retry-after']]).toEqual([503, '1'])
    expect(fieldsOf(reply)).toMatchObject({ type: 'error', 'error-code': '11' })
    await notCommitted(shop)
  },
  'html-page': async (shop) => {
    const { status, headers, body } = await shop.request()
    expect([status, headers]).toEqual([200, { ...SAFE, 'content-type': 'text/html; charset=utf-8' }])
    expect(body).toMatch(/^<!doctype html>/)
    await committed(shop)
  },
  'truncated-body': async (shop) => {
    const { status, cut, body } = await shop.request()
    expect([status, cut]).toEqual([200, 'within-body'])
    expect(body).toMatch(/^\{"type":"async-response"/)
    expect(() => JSON.parse(body)).toThrow(SyntaxError)
    await committed(shop)
  },
  'unknown-then-approved': (shop) => unknownThen(shop, 'approved'),
  'unknown-then-declined': (shop) => unknownThen(shop, 'declined'),
  'callback-delayed': async (shop) => {
    await shop.open()
    await shop.clock.advance(599_999)
    expect(shop.calls).toEqual([])
    await shop.clock.advance(1)
    expect(shop.calls.map(fits)).toEqual([true])
  },
  'callback-twice': async (shop) => {
    await shop.open()
    expect(shop.calls.map(fits)).toEqual([true, true])
    expect(shop.calls[0]).toBe(shop.calls[1])
    expect((await shop.timeline())?.callbacks).toMatchObject([{ state: 'acknowledged', attempts: 1 }])
  },
  'callback-twice-at-once': async (shop) => {
    shop.waits.isOn = true
    const opening = shop.open()
    await new Promise(setImmediate)
    expect(shop.calls).toHaveLength(2)
    expect(shop.calls[0]).toBe(shop.calls[1])
    for (const { resolve } of shop.sending) resolve({ status: 200 })
    await opening
    expect(shop.calls).toHaveLength(2)
  },
  'callback-out-of-order': async (shop) => {
    const ids = await shop.open()
    expect(shop.calls).toEqual([])
    await shop.return(ids, { amount: '1.00', currency: 'EUR' })
    expect(shop.calls.map((url) => parametersOf(url)['type'])).toEqual(['reversal'])
    await shop.clock.advance('1m')
    expect(shop.calls.map((url) => parametersOf(url)['type'])).toEqual(['reversal', 'sale'])
  },
  'callback-before-return': async (shop) => {
    const ids = await shop.open({ cvv2: '321', redirect_url: 'https://shop.example.com/return' })
    const { pathname } = new URL((await shop.told(ids))['redirect-to'] ?? '')
    shop.waits.isOn = true
    const cRes = await issuer(shop.store).cRes(ids.orderid)
    const uploaded = { 'client-order-id': ids.client_orderid, orderid: ids.orderid, cRes }
    const uploading = shop.ask('/api/3ds/v1/upload-cres-result', uploaded)
    await expect.poll(() => shop.calls.length).toBe(1)
    let page: GatewayReply | undefined
    const returning = shop.gateway.handle({ method: 'GET', url: pathname, headers: {}, body: '' }).then((each) => {
      page = each
    })
    await new Promise(setImmediate)
    expect(page).toBeUndefined()
    for (const { resolve } of shop.sending) resolve({ status: 200 })
    await Promise.all([uploading, returning])
    expect(page?.body).toContain('action="https://shop.example.com/return"')
  },
  'callback-never': async (shop) => {
    const { orderid } = await shop.open()
    await shop.clock.advance('15d')
    expect(shop.calls).toEqual([])
    expect((await shop.timeline())?.callbacks).toMatchObject([{ state: 'given-up', attempts: 0 }])
    await shop.gateway.resendCallbacks(orderid)
    await shop.gateway.settled()
    expect(shop.calls.map(fits)).toEqual([true])
  },
  'callback-forged': async (shop) => {
    await shop.open()
    expect(shop.calls.map(fits)).toEqual([false, true])
    expect(shop.calls.map((url) => parametersOf(url)['status'])).toEqual(['declined', 'approved'])
  },
  'callback-shifted': async (shop) => {
    const { orderid } = await shop.open()
    expect(shop.calls.map(fits)).toEqual([true, true])
    const [lie = {}, truth = {}] = shop.calls.map(parametersOf)
    expect([lie['orderid'], lie['client_orderid'], lie['merchant_order']]).toEqual([
      orderid.slice(0, 14),
      `${orderid.slice(14)}inv-1`,
      `${orderid.slice(14)}inv-1`,
    ])
    expect([truth['orderid'], truth['client_orderid']]).toEqual([orderid, 'inv-1'])
  },
  'callback-amount-differs': async (shop) => {
    const ids = await shop.open()
    const { amount = '' } = await shop.told(ids)
    expect(shop.calls.map(fits)).toEqual([true])
    const said = parametersOf(shop.calls[0] ?? '')['amount']
    expect([Number(said), said?.slice(-3)]).toEqual([Number(amount) + 1, amount.slice(-3)])
  },
  'chargeback-after-return': async (shop) => {
    const ids = await shop.open()
    await shop.return(ids, { amount: '1.00', currency: 'EUR' })
    await shop.clock.advance('1m')
    await shop.gateway.settled()
    const { status, 'transaction-type': type, amount } = await shop.told(ids)
    expect([status, type, amount]).toEqual(['approved', 'chargeback', '0.00'])
    expect(shop.calls.map((url) => parametersOf(url)['type'])).toEqual(['sale', 'reversal', 'chargeback'])
    expect((await shop.timeline())?.operations.map(({ kind }) => kind)).toEqual(['sale', 'reversal', 'chargeback'])
  },
  'three-ds-abandoned': (shop) => listed(shop, 'three-ds-abandoned'),
  'method-time-out': (shop) => listed(shop, 'method-time-out'),
}

describe.for(Object.keys(SHOWN) as FaultName[])('%s', (fault) => {
  test.for(WAYS)('an order has it %s', async (way) => {
    await SHOWN[fault](shopWith(fault, way))
  })
})

test('every fault of the table is shown', () => {
  expect(Object.keys(SHOWN).sort()).toEqual(Object.keys(FAULTS).sort())
})
