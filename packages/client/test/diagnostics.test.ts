import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { catalogue } from '@tallystick/core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type CallStarted, createPaymentClient, DIAGNOSTICS, type Exchange } from '../src/index.ts'
import { acknowledged, fakeTransport, json, lost, replied } from './fake-transport.ts'
import { baseUrl, keyedClient, merchant, merchantClient } from './merchant.ts'
import { operations } from './operations.ts'

let told: unknown[] = []
const listen = (message: unknown) => void told.push(message)

beforeEach(() => {
  told = []
  subscribe(DIAGNOSTICS.callStarted, listen)
  subscribe(DIAGNOSTICS.callEnded, listen)
})

afterEach(() => {
  unsubscribe(DIAGNOSTICS.callStarted, listen)
  unsubscribe(DIAGNOSTICS.callEnded, listen)
})

test('the names of the channels are as documented', () => {
  expect(DIAGNOSTICS).toEqual({
    callStarted: 'tallystick:client:call:start',
    callEnded: 'tallystick:client:call:end',
    alarm: 'tallystick:client:alarm',
  })
})

test('a call is reported when it begins and when it has ended, without its card and the control key', async () => {
  const sale = operations.find(({ key }) => key === 'sale')
  await sale?.send(merchantClient(fakeTransport(acknowledged)))
  await sale?.send(merchantClient(fakeTransport(lost)))
  await sale?.send(merchantClient(fakeTransport(json({ type: 'validation-error' }, 400))))
  const call = { operation: 'SALE', clientOrderId: '902B4FF5', orderId: undefined, endpointId: '253' }
  expect(told).toMatchObject([
    call,
    { ...call, outcome: 'unknown', code: 'NO_REPLY' },
    call,
    { ...call, outcome: 'unknown', code: 'NO_REPLY', httpStatus: undefined, milliseconds: 0 },
    call,
    { ...call, outcome: 'rejected', code: 'REJECTED', httpStatus: 400 },
    { ...call, operation: 'STATUS' },
    { ...call, operation: 'STATUS', outcome: 'rejected', code: 'REJECTED', httpStatus: 400 },
  ])
  expect(JSON.stringify(told)).not.toMatch(/4444|D5F82EC1/)
})

describe('a log line', () => {
  const lines = async (...exchanges: readonly Exchange[]) => {
    const heard: string[] = []
    const transport = fakeTransport(...exchanges)
    const client = createPaymentClient({ ...merchant, baseUrl, transport, log: (line) => heard.push(line) })
    await client.void({ clientOrderId: '902B4FF5', orderId: '6768788' })
    return heard
  }

  test('is written for each call, if a log is given', async () => {
    expect(await lines(lost)).toEqual(['VOID of 902B4FF5 6768788 at 253: unknown (NO_REPLY) in 0 ms'])
    const voided = json({ type: 'async-response', 'paynet-order-id': '6768788', 'merchant-order-id': '902B4FF5' })
    expect(await lines(voided)).toEqual(['VOID of 902B4FF5 6768788 at 253: accepted in 0 ms'])
    expect(await lines(json({ type: 'validation-error' }, 400))).toEqual([
      'VOID of 902B4FF5 6768788 at 253: rejected (REJECTED, HTTP 400) in 0 ms',
    ])
    // As an app's own transport may return it.
    expect(await lines(json({ type: 'error' }, 0))).toEqual([
      'VOID of 902B4FF5 6768788 at 253: unknown (GATEWAY_ERROR, HTTP 0) in 0 ms',
    ])
  })

  test('names an order by the ids that the request has', async () => {
    const heard: string[] = []
    const log = (line: string) => heard.push(line)
    const client = createPaymentClient({ ...merchant, baseUrl, transport: fakeTransport(lost), log })
    await client.status({ clientOrderId: 'a' }).catch(() => undefined)
    expect(heard).toEqual(['STATUS of a at 253: unknown (NO_REPLY) in 0 ms'])
  })

  test('is not written for an id with control characters, which is refused', async () => {
    const heard: string[] = []
    const log = (line: string) => heard.push(line)
    const client = createPaymentClient({ ...merchant, baseUrl, transport: fakeTransport(lost), log })
    const asked = client.status({ clientOrderId: 'a\u001b[2Jb\nSALE of x: accepted' })
    await expect(asked).rejects.toThrow('clientOrderId')
    expect(heard).toEqual([])
  })

  test('needs a function as the log', () => {
    const make = () => createPaymentClient({ ...merchant, baseUrl, log: 'stdout' as never })
    expect(make).toThrow('createPaymentClient: log must be a function')
  })
})

test('a redirect is an alarm, on its channel and by onWarning, and decides nothing', async () => {
  const warnings: string[] = []
  const alarms: unknown[] = []
  const hear = (alarm: unknown) => void alarms.push(alarm)
  subscribe(DIAGNOSTICS.alarm, hear)
  const transport = fakeTransport(replied(302, 'text/html', ''))
  const onWarning = (warning: string) => warnings.push(warning)
  const client = createPaymentClient({ ...merchant, baseUrl, transport, onWarning })
  const result = await client.void({ clientOrderId: 'invoice-a', orderId: '6768788' })
  unsubscribe(DIAGNOSTICS.alarm, hear)
  expect(result).toMatchObject({ outcome: 'unknown', error: { code: 'NO_REPLY', httpStatus: 302 } })
  expect(alarms).toMatchObject([
    { what: 'redirected', operation: 'VOID', clientOrderId: 'invoice-a', endpointId: '253' },
  ])
  expect(alarms).toHaveLength(1)
  expect(warnings.at(-1)).toContain('the gateway answered with a redirect, which is never followed')
  expect(transport.sent).toHaveLength(1)
})

test.each([
  [300, ['redirected']],
  [399, ['redirected']],
  [200, []],
  [400, []],
  [502, []],
])('a page with HTTP %d makes these alarms: %o', async (httpStatus, expected) => {
  const alarms: unknown[] = []
  const hear = (alarm: unknown) => void alarms.push((alarm as { readonly what: string }).what)
  subscribe(DIAGNOSTICS.alarm, hear)
  await merchantClient(fakeTransport(replied(httpStatus, 'text/html', '<h1>page</h1>'))).void({
    clientOrderId: 'invoice-a',
    orderId: '6768788',
  })
  unsubscribe(DIAGNOSTICS.alarm, hear)
  expect(alarms).toEqual(expected)
})

test('an order that was refused but exists is an alarm that names it', async () => {
  const alarms: unknown[] = []
  const hear = (alarm: unknown) => void alarms.push(alarm)
  subscribe(DIAGNOSTICS.alarm, hear)
  const found = json({ type: 'status-response', status: 'approved', 'paynet-order-id': '6768788' })
  const client = merchantClient(fakeTransport(json({ type: 'validation-error' }, 400), found))
  await client.makeRebill({ clientOrderId: 'invoice-a', cardRefId: '1326586', amount: '10.42', currency: 'EUR' })
  unsubscribe(DIAGNOSTICS.alarm, hear)
  expect(alarms).toMatchObject([
    { what: 'refused-but-exists', operation: 'REBILL', clientOrderId: 'invoice-a', endpointId: '253' },
  ])
})

describe('in the context that a listener gives', () => {
  const store = new AsyncLocalStorage<string>()
  const giveContext = (call: unknown) => {
    const { operation, clientOrderId } = call as CallStarted
    const context = store.run(`${operation} of ${clientOrderId}`, () => new AsyncResource('call'))
    Object.assign(call as CallStarted, { context })
  }
  const heard: string[] = []
  const hear = (what: string) => void heard.push(`${what} in ${store.getStore()}`)
  const hearEnd = () => hear('ended')
  const hearAlarm = () => hear('alarmed')

  beforeEach(() => {
    heard.length = 0
    subscribe(DIAGNOSTICS.callStarted, giveContext)
    subscribe(DIAGNOSTICS.callEnded, hearEnd)
    subscribe(DIAGNOSTICS.alarm, hearAlarm)
  })

  afterEach(() => {
    unsubscribe(DIAGNOSTICS.callStarted, giveContext)
    unsubscribe(DIAGNOSTICS.callEnded, hearEnd)
    unsubscribe(DIAGNOSTICS.alarm, hearAlarm)
  })

  /** A transport that notes the context in which it sends, and replies a turn of the event loop later. */
  const hearing = (exchange: Exchange) => {
    const send = async () => {
      hear('sent')
      await new Promise((resolve) => setImmediate(resolve))
      return exchange
    }
    return { send, close: async () => undefined }
  }

  test('a call is sent, logged and reported, but its caller goes on in its own context', async () => {
    const options = { log: () => hear('logged'), onWarning: () => hear('warned') }
    const transport = hearing(replied(302, 'text/html', ''))
    const client = createPaymentClient({ ...merchant, baseUrl, transport, ...options })
    await store.run('the shop', async () => {
      await client.void({ clientOrderId: 'invoice-a', orderId: '6768788' })
      hear('went on')
    })
    const call = 'VOID of invoice-a'
    const told = ['sent', 'alarmed', 'warned', 'ended', 'logged'].map((what) => `${what} in ${call}`)
    expect(heard).toEqual([...told, 'went on in the shop'])
  })

  test.each(operations)('$key is sent once, and reported when it has ended', async ({ key, send }) => {
    const transport = fakeTransport(lost)
    await send(keyedClient(transport)).catch(() => undefined)
    expect(transport.sent).toHaveLength(1)
    expect(heard).toEqual([expect.stringMatching(`^ended in ${catalogue[key].name} of `)])
  })

  test('calls at the same time are each reported in their own', async () => {
    const client = merchantClient(hearing(lost))
    await Promise.allSettled(['a', 'b'].map((clientOrderId) => client.status({ clientOrderId })))
    expect(heard).toEqual(['a', 'b', 'a', 'b'].map((id, at) => `${at < 2 ? 'sent' : 'ended'} in STATUS of ${id}`))
  })
})

test('a listener that gives no context causes no warning', async () => {
  const warnings: string[] = []
  const onWarning = (warning: string) => warnings.push(warning)
  const client = createPaymentClient({ ...merchant, baseUrl, transport: fakeTransport(lost), onWarning })
  const listen = () => {}
  subscribe(DIAGNOSTICS.callStarted, listen)
  await client.void({ clientOrderId: 'invoice-a', orderId: '6768788' })
  unsubscribe(DIAGNOSTICS.callStarted, listen)
  expect(warnings).toEqual([])
})

test.each([[{ span: 1 }], [null], ['a span']])(
  'a call is sent, with a warning, if a listener gives %o as its context',
  async (context) => {
    const giveWrongContext = (call: unknown) => void Object.assign(call as CallStarted, { context })
    const warnings: string[] = []
    const transport = fakeTransport(lost)
    const onWarning = (warning: string) => warnings.push(warning)
    const client = createPaymentClient({ ...merchant, baseUrl, transport, onWarning })
    subscribe(DIAGNOSTICS.callStarted, giveWrongContext)
    const result = await client.void({ clientOrderId: 'invoice-a', orderId: '6768788' })
    unsubscribe(DIAGNOSTICS.callStarted, giveWrongContext)
    expect(result.outcome).toBe('unknown')
    expect(transport.sent).toHaveLength(1)
    expect(warnings).toEqual([
      'a listener of tallystick:client:call:start set a context that is no AsyncResource: it is ignored',
    ])
  },
)
