import { channel, subscribe, unsubscribe } from 'node:diagnostics_channel'
import { context, metrics, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import {
  type CallStarted,
  createPaymentClient,
  DIAGNOSTICS,
  type Exchange,
  type PaymentClient,
} from '@tallystick/client'
import { catalogue, type OperationKey, operationKeys, type RequestInput } from '@tallystick/core'
import {
  accepted,
  buildInput,
  cards,
  fakeClient,
  gatewayFailed,
  notSent,
  rejected,
  saleInput,
  signatureRefused,
  startGateway,
  testControlKey,
  testKeyPair,
  unknown,
} from '@tallystick/testing'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { traceCalls } from '../src/index.ts'
import { startTelemetry } from './telemetry.ts'

let telemetry: ReturnType<typeof startTelemetry>
beforeEach(() => {
  telemetry = startTelemetry()
})
afterEach(() => telemetry.stop())

const original = { clientOrderId: 'invoice-77-a', orderId: '123456789012345' }

interface GivenOptions {
  readonly log?: (line: string) => void
}

/** A client whose gateway shows these in turn, and which span is active each time that it is asked. */
function clientOf(exchanges: readonly Exchange[], options: GivenOptions = {}) {
  const active: (string | undefined)[] = []
  const send = async () => exchanges[active.push(activeId()) - 1] ?? LOST
  const transport = { send, close: async () => undefined }
  const merchant = { login: 'shop', controlKey: testControlKey(), endpointId: '253', readAttempts: 1 }
  const client = createPaymentClient({ ...merchant, baseUrl: 'https://gate.example.com', transport, ...options })
  return { client, active }
}

const LOST: Exchange = { kind: 'lost', seen: 'nothing' }

const activeId = () => trace.getActiveSpan()?.spanContext().spanId

function replied(httpStatus: number, record: object): Exchange {
  return { kind: 'replied', httpStatus, mediaType: 'application/json', body: JSON.stringify(record) }
}

/** Calls an operation with a valid request. A read throws what everything else returns. */
async function callOf(client: PaymentClient, key: OperationKey): Promise<unknown> {
  const method = client[key] as (input: RequestInput<OperationKey>) => Promise<unknown>
  return await method(buildInput(key)).catch((error: unknown) => error)
}

describe('a call is a span', () => {
  test('of kind CLIENT with the name of the operation, its ids and how it ended', async () => {
    using client = fakeClient()
    client.answer('capture', accepted())
    await client.capture(original)
    expect(telemetry.spans()).toMatchObject([
      { name: 'CAPTURE', kind: SpanKind.CLIENT, instrumentationScope: { name: '@tallystick/opentelemetry' } },
    ])
    expect(telemetry.spans()[0]?.attributes).toStrictEqual({
      'tallystick.operation': 'CAPTURE',
      'tallystick.client_order_id': 'invoice-77-a',
      'tallystick.order_id': '123456789012345',
      'tallystick.endpoint_id': '253',
      'tallystick.outcome': 'accepted',
    })
    expect(telemetry.spans()[0]?.status).toEqual({ code: SpanStatusCode.UNSET })
  })

  test('below the span that is active where it is called', async () => {
    using client = fakeClient()
    client.always('status', accepted())
    const checkout = telemetry.tracer.startSpan('checkout')
    await context.with(trace.setSpan(context.active(), checkout), async () => {
      await Promise.all([client.status(original), client.status(original)])
      expect(trace.getActiveSpan()).toBe(checkout)
    })
    expect(telemetry.spans()).toHaveLength(2)
    for (const span of telemetry.spans()) expect(span.parentSpanContext).toEqual(checkout.spanContext())
  })

  test.each(operationKeys)('whichever the operation is: %s', async (key) => {
    using client = fakeClient()
    client.answer(key, accepted())
    await callOf(client, key)
    expect(telemetry.spans()).toMatchObject([
      { name: catalogue[key].name, attributes: { 'tallystick.outcome': 'accepted' } },
    ])
  })

  test('not if its request does not fit the model: nothing is sent then', async () => {
    using client = fakeClient()
    expect(await client.capture({ clientOrderId: '', orderId: '' })).toMatchObject({ outcome: 'notSent' })
    expect(telemetry.spans()).toEqual([])
  })

  test('also if another copy of the client makes it', async () => {
    vi.resetModules()
    const copy = await import('@tallystick/client')
    expect(copy.createPaymentClient).not.toBe(createPaymentClient)
    const client = copy.createPaymentClient({
      baseUrl: 'http://127.0.0.1:1',
      login: 'shop',
      controlKey: testControlKey(),
      endpointId: '253',
    })
    await client.void(original)
    await client.close()
    expect(telemetry.spans()).toMatchObject([{ name: 'VOID', attributes: { 'tallystick.outcome': 'notSent' } }])
  })
})

describe('a span has failed only if the call did', () => {
  const unset = { code: SpanStatusCode.UNSET }
  const failed = { code: SpanStatusCode.ERROR }

  test.each([
    ['an answer', accepted(), 'accepted', unset, undefined],
    ['a refusal', rejected({ errorMessage: 'no' }), 'rejected', unset, undefined],
    ['a refused signature', signatureRefused(), 'rejected', failed, 'AUTH_REJECTED'],
    ['a failure of the gateway', gatewayFailed(), 'unknown', failed, 'GATEWAY_ERROR'],
    ['no reply', unknown(), 'unknown', failed, 'NO_REPLY'],
    ['no connection', notSent(), 'notSent', failed, 'NOT_SENT'],
  ])('%s', async (_what, answer, outcome, status, errorType) => {
    using client = fakeClient()
    client.answer('void', answer)
    await client.void(original)
    const [span] = telemetry.spans()
    expect(span?.status).toEqual(status)
    expect(span?.attributes).toMatchObject({ 'tallystick.outcome': outcome })
    expect(span?.attributes['error.type']).toBe(errorType)
  })

  test('not by a decline: the payment is accepted, and its status says the rest', async () => {
    await using gateway = await startGateway({ socket: false })
    const client = gateway.client()
    const { clientOrderId } = await saleOf(client, cards.declined)
    expect(await client.waitForOutcome({ clientOrderId })).toMatchObject({ outcome: 'declined' })
    const ends = telemetry.spans().map(({ name, status }) => `${name} ${status.code}`)
    expect(new Set(ends)).toEqual(new Set(['SALE 0', 'STATUS 0']))
  })

  test('and it has the HTTP status of what was not accepted', async () => {
    const { client } = clientOf([replied(502, {})])
    await client.void(original)
    expect(telemetry.spans()[0]?.attributes).toMatchObject({ 'http.response.status_code': 502 })
  })

  async function saleOf(client: PaymentClient, card: typeof cards.declined) {
    const input = saleInput(card)
    expect(await client.sale(input)).toMatchObject({ outcome: 'accepted' })
    return input
  }
})

describe('the span is active', () => {
  test('while a request is made over a socket: a span of undici would be its child', async () => {
    const made: (string | undefined)[] = []
    const hear = () => void made.push(activeId())
    await using gateway = await startGateway()
    const client = gateway.client()
    subscribe('undici:request:create', hear)
    await Promise.all(['a', 'b'].map((id) => client.sale(saleInput({ clientOrderId: `invoice-${id}` }))))
    // Over a connection that the calls before have opened.
    await client.sale(saleInput({ clientOrderId: 'invoice-c' }))
    unsubscribe('undici:request:create', hear)
    const spans = telemetry.spans().map((span) => span.spanContext().spanId)
    expect(new Set(made)).toEqual(new Set(spans))
    expect(made).toHaveLength(3)
  })

  test('where a line is logged, so that the line can name the trace', async () => {
    const logged: (string | undefined)[] = []
    const { client, active } = clientOf([replied(502, {})], { log: () => logged.push(activeId()) })
    await client.void(original)
    expect(logged).toEqual([telemetry.spans()[0]?.spanContext().spanId])
    expect(active).toEqual(logged)
  })
})

describe('an alarm', () => {
  test('of a call is an event of its span', async () => {
    const { client } = clientOf([replied(302, {})])
    await client.void(original)
    const [span] = telemetry.spans()
    expect(span?.events).toMatchObject([{ name: 'tallystick.alarm' }])
    expect(span?.events[0]?.attributes).toStrictEqual({
      'tallystick.alarm': 'redirected',
      'tallystick.operation': 'VOID',
      'tallystick.client_order_id': 'invoice-77-a',
      'tallystick.endpoint_id': '253',
    })
  })

  /** Refused, and yet it exists. */
  const contradiction = [
    replied(400, { type: 'validation-error' }),
    replied(200, { type: 'status-response', status: 'approved', 'paynet-order-id': '6768788' }),
  ]

  test('that follows from two calls is an event of the span around them', async () => {
    const { client } = clientOf(contradiction)
    const span = telemetry.tracer.startSpan('subscription')
    await context.with(trace.setSpan(context.active(), span), () => callOf(client, 'makeRebill'))
    span.end()
    const events = telemetry.spans().map(({ name, events }) => [name, events.length])
    expect(events).toEqual([
      ['REBILL', 0],
      ['STATUS', 0],
      ['subscription', 1],
    ])
    expect(telemetry.spans()[2]?.events[0]?.attributes).toMatchObject({ 'tallystick.alarm': 'refused-but-exists' })
  })

  test('is counted, also where there is no span', async () => {
    const { client } = clientOf([...contradiction, ...contradiction])
    await callOf(client, 'makeRebill')
    await callOf(client, 'makeRebill')
    expect(await telemetry.series()).toContainEqual({
      metric: 'tallystick.client.alarms',
      unit: '{alarm}',
      attributes: { 'tallystick.operation': 'REBILL', 'tallystick.alarm': 'refused-but-exists' },
      value: 2,
    })
  })
})

describe('the durations', () => {
  test('are counted in seconds by operation, outcome and error, without ids', async () => {
    let now = 0
    const clock = { now: () => (now += 250), schedule: () => () => undefined }
    using client = fakeClient({ clock })
    client.answer('void', accepted(), unknown(), accepted())
    for (const id of ['a', 'b', 'c']) await client.void({ ...original, clientOrderId: `invoice-${id}` })
    const series = await telemetry.series()
    const metric = { metric: 'tallystick.client.call.duration', unit: 's' }
    const accept = { 'tallystick.operation': 'VOID', 'tallystick.outcome': 'accepted' }
    const lost = { 'tallystick.operation': 'VOID', 'tallystick.outcome': 'unknown', 'error.type': 'NO_REPLY' }
    expect(series).toMatchObject([
      { ...metric, value: { count: 2, sum: 0.5, min: 0.25, max: 0.25 } },
      { ...metric, value: { count: 1, sum: 0.25 } },
    ])
    expect(series.map(({ attributes }) => attributes)).toStrictEqual([accept, lost])
  })

  test('are told apart from 5 ms to a minute, and above that what the time limit ended', async () => {
    const { client } = clientOf([LOST])
    await client.void(original)
    const [series] = await telemetry.series()
    expect(series?.value).toMatchObject({
      buckets: {
        boundaries: [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 20, 30, 60],
      },
    })
  })
})

test('No card number, CVV or key is in a span or a metric', async () => {
  const secrets = { cardNumber: '4485940822379130', cvv2: '9173' }
  const controlKey = testControlKey()
  const { privateKey } = testKeyPair()
  /** A gateway, or what pretends to be one, that repeats all it was sent wherever it can. */
  const echoes: readonly ((body: string) => Exchange)[] = [
    (body) => ({ kind: 'lost', seen: body }),
    (body) => ({ kind: 'not-sent', seen: body }),
    (body) => ({ kind: 'replied', httpStatus: 302, mediaType: `text/html; ${body}`, body }),
    ...[200, 400, 403, 500].flatMap((httpStatus) =>
      ['validation-error', 'error', 'async-response'].map((type) => (body: string) => {
        const told = { 'error-code': body, 'error-message': `${body} ${controlKey} ${privateKey}` }
        return replied(httpStatus, { type, ...told, 'paynet-order-id': '1', 'merchant-order-id': 'invoice-77-a' })
      }),
    ),
  ]
  const keys = { login: 'shop', controlKey, privateKey }
  for (const echo of echoes) {
    const transport = { send: async ({ body }: { readonly body: string }) => echo(body), close: async () => undefined }
    const client = createPaymentClient({ ...keys, baseUrl: 'https://gate.example.com', endpointId: '253', transport })
    await client.sale(saleInput({ ...secrets, clientOrderId: 'invoice-77-a' }))
    await callOf(client, 'payout')
  }
  const spans = telemetry.spans().map(({ name, attributes, events, status, links, resource }) => {
    return { name, attributes, events: events.map((event) => [event.name, event.attributes]), status, links, resource }
  })
  const text = JSON.stringify([spans, (await telemetry.series()).map((series) => ({ ...series, value: 0 }))])
  expect(spans.length).toBeGreaterThan(echoes.length * 2)
  for (const secret of [...Object.values(secrets), controlKey, privateKey.slice(100, 140), 'credit_card_number']) {
    expect(text).not.toContain(secret)
  }
})

describe('stopped', () => {
  test('it makes no spans, and the client makes no messages', async () => {
    telemetry.stopTracing()
    using client = fakeClient()
    client.answer('void', accepted())
    await client.void(original)
    expect(telemetry.spans()).toEqual([])
    expect(await telemetry.series()).toEqual([])
    expect(Object.values(DIAGNOSTICS).filter((name) => channel(name).hasSubscribers)).toEqual([])
  })

  test('it leaves a call under way alone', async () => {
    using client = fakeClient()
    client.answer('void', () => {
      telemetry.stopTracing()
      return accepted()
    })
    expect(await client.void(original)).toMatchObject({ outcome: 'accepted' })
    expect(telemetry.spans()).toEqual([])
  })
})

test('used twice, it makes two spans of a call, one in the other, and the call is sent once', async () => {
  const stop = traceCalls({ tracerProvider: telemetry.tracerProvider })
  const { client, active } = clientOf([LOST])
  await client.void(original)
  stop()
  const [outer, inner] = telemetry.spans()
  expect(telemetry.spans()).toHaveLength(2)
  expect(outer?.parentSpanContext).toBeUndefined()
  expect(inner?.parentSpanContext).toEqual(outer?.spanContext())
  expect(active).toEqual([inner?.spanContext().spanId])
})

test('a context of another listener that is none is replaced by that of the span', async () => {
  const giveWrongContext = (call: unknown) => void Object.assign(call as CallStarted, { context: { span: 1 } })
  subscribe(DIAGNOSTICS.callStarted, giveWrongContext)
  const stop = traceCalls({ tracerProvider: telemetry.tracerProvider })
  const { client, active } = clientOf([LOST])
  await client.void(original)
  stop()
  unsubscribe(DIAGNOSTICS.callStarted, giveWrongContext)
  // The first span was lost with its context.
  const [span] = telemetry.spans()
  expect(span?.name).toBe('VOID')
  expect(active).toEqual([span?.spanContext().spanId])
})

test('without a context manager, spans have no parent, and all else', async () => {
  context.disable()
  const { client } = clientOf([replied(302, {})])
  await client.void(original)
  expect(telemetry.spans()).toMatchObject([
    { name: 'VOID', parentSpanContext: undefined, attributes: { 'tallystick.outcome': 'unknown' }, events: [{}] },
  ])
})

test('a call that began before it was used has no span, and counts', async () => {
  telemetry.stop()
  using client = fakeClient()
  client.answer('void', () => {
    telemetry = startTelemetry()
    return accepted()
  })
  await client.void(original)
  expect(telemetry.spans()).toEqual([])
  expect(await telemetry.series()).toMatchObject([{ value: { count: 1 } }])
})

test('the global providers are used if none are given, that of spans also if it is set later', async () => {
  telemetry.stopTracing()
  metrics.setGlobalMeterProvider(telemetry.meterProvider)
  const stop = traceCalls()
  trace.setGlobalTracerProvider(telemetry.tracerProvider)
  await clientOf([LOST]).client.void(original)
  stop()
  expect(telemetry.spans()).toMatchObject([{ name: 'VOID' }])
  expect(await telemetry.series()).toMatchObject([{ value: { count: 1 } }])
})

test('without an SDK a call is as without tracing', async () => {
  telemetry.stop()
  const stop = traceCalls()
  const { client, active } = clientOf([replied(400, { type: 'validation-error' })])
  expect(await client.void(original)).toMatchObject({ outcome: 'rejected' })
  stop()
  expect(active).toEqual([undefined])
})

test.each([
  [{ tracerprovider: {} }, 'traceCalls: there is no option tracerprovider; did you mean tracerProvider?'],
  [{ tracerProvider: {} }, 'traceCalls: tracerProvider must be a TracerProvider of OpenTelemetry, with getTracer()'],
  [{ meterProvider: 1 }, 'traceCalls: meterProvider must be a MeterProvider of OpenTelemetry, with getMeter()'],
])('a wrong option is named: %o', (options, message) => {
  expect(() => traceCalls(options as never)).toThrow(new TypeError(message))
})
