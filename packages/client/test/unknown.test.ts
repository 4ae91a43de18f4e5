import { PaymentError } from '@tallystick/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createPaymentClient, type Exchange } from '../src/index.ts'
import { fakeTransport, json, lost, replied } from './fake-transport.ts'
import { keyedClient, merchant, merchantClient } from './merchant.ts'
import { clientFor, type OperationCase, operations, reads, storingCards } from './operations.ts'

const approved = json({ type: 'status-response', status: 'approved', 'paynet-order-id': '6768788' })

/** The unknown outcome of a void whose reply was lost, and what was sent since. */
async function lostVoid(...answers: readonly Exchange[]) {
  const transport = fakeTransport(lost, ...answers)
  const client = createPaymentClient({ ...merchant, baseUrl: 'https://gate.example.com/paynet', transport })
  const result = await client.void({ clientOrderId: '902B4FF5', orderId: '6768788' }, { endpointGroupId: '77' })
  if (result.outcome !== 'unknown') throw new Error(`the outcome is ${result.outcome}`)
  return { result, transport }
}

describe('An unknown outcome', () => {
  test('[S4-41] [S6-04] is resolved by the signed status of the same order at the same endpoint', async () => {
    const { result, transport } = await lostVoid(approved)
    expect(await result.resolve()).toMatchObject({ status: 'approved', orderId: '6768788' })
    expect(transport.sent.map(({ url }) => url)).toEqual([
      'https://gate.example.com/paynet/api/v2/void/group/77',
      'https://gate.example.com/paynet/api/v2/status/group/77',
    ])
    // SHA-1 of test-login, 902B4FF5, 6768788 and the key, by sha1sum.
    expect(transport.sent[1]?.body).toBe(
      'login=test-login&client_orderid=902B4FF5&orderid=6768788&control=39f91e337d620de129aee5c691e03a6c849b1c8e',
    )
  })

  test('[S4-40] asks by the client order id alone if the request had no order id', async () => {
    const transport = fakeTransport(lost, approved)
    const sale = operations.find(({ key }) => key === 'sale')
    const result = (await sale?.send(merchantClient(transport))) as { resolve(): Promise<unknown> }
    await result.resolve()
    expect(transport.sent[1]?.body).toMatch(/^login=test-login&client_orderid=902B4FF5&control=[0-9a-f]{40}$/)
  })

  test('can be resolved again and again, and never sends the operation a second time', async () => {
    const { result, transport } = await lostVoid(lost, json({ type: 'error' }, 500), approved)
    await expect(result.resolve()).rejects.toMatchObject({ code: 'NO_REPLY', operation: 'STATUS' })
    await expect(result.resolve()).rejects.toMatchObject({ code: 'GATEWAY_ERROR' })
    expect(await result.resolve()).toMatchObject({ status: 'approved' })
    expect(transport.sent.filter(({ url }) => url.includes('/void/'))).toHaveLength(1)
  })

  test('asks with a time-out and a signal of its own, or the time-out of the call', async () => {
    const transport = fakeTransport(lost, approved)
    const { signal } = new AbortController()
    const order = { clientOrderId: '902B4FF5', orderId: '6768788' }
    const result = await merchantClient(transport).void(order, { timeoutMs: 30, signal: new AbortController().signal })
    if (result.outcome !== 'unknown') throw new Error(`the outcome is ${result.outcome}`)
    await result.resolve()
    await result.resolve({ timeoutMs: 40, signal })
    expect(transport.options.slice(1)).toEqual([
      { timeoutMs: 30, signal: undefined },
      { timeoutMs: 40, signal },
    ])
  })

  test('asks about the order that was sent, even if the caller has reused the object for another one', async () => {
    const transport = fakeTransport(lost, approved)
    const order = { clientOrderId: 'FIRST', orderId: '6768788' }
    const options = { endpointId: '11' }
    const sending = merchantClient(transport).void(order, options)
    Object.assign(order, { clientOrderId: 'SECOND', orderId: '2' })
    options.endpointId = '22'
    const result = await sending
    if (result.outcome !== 'unknown') throw new Error(`the outcome is ${result.outcome}`)
    expect(result.error.clientOrderId).toBe('FIRST')
    await result.resolve()
    expect(transport.sent[1]?.url).toMatch(/\/status\/11$/)
    expect(transport.sent[1]?.body).toContain('client_orderid=FIRST&orderid=6768788&')
  })

  test.each(operations.filter(({ key }) => storingCards.has(key)))(
    'of $key cannot be resolved: the interface has no status of it',
    async (operation) => {
      const result = await operation.send(clientFor(operation)(fakeTransport(lost)))
      expect(result).toEqual({ outcome: 'unknown', error: expect.objectContaining({ code: 'NO_REPLY' }) })
    },
  )

  test.each<readonly [what: string, given: unknown]>([
    ['nothing', undefined],
    ['an answer of its own', { statusCode: 200, body: '{}' }],
    ['the null of an absent header', { kind: 'replied', httpStatus: 200, mediaType: null, body: '{}' }],
    ['a body that was parsed', { kind: 'replied', httpStatus: 200, mediaType: 'application/json', body: {} }],
    ['no status', { kind: 'replied', mediaType: 'application/json', body: '{}' }],
    ['no words of what it saw', { kind: 'not-sent' }],
  ])('is the outcome if an app’s own transport returns %s: the request may have been sent', async (_what, given) => {
    const result = await merchantClient(fakeTransport(given as Exchange)).void({ clientOrderId: 'A1', orderId: '1' })
    expect(result).toMatchObject({ outcome: 'unknown', error: { seen: expect.stringMatching(/^the transport /) } })
  })

  test('is not the outcome of a wrong request: every wrong field is named, and nothing is sent', async () => {
    const transport = fakeTransport(approved)
    const result = await merchantClient(transport).void({ clientOrderId: ' ', orderId: 'a b' })
    expect(result).toMatchObject({
      outcome: 'notSent',
      error: { code: 'INVALID_INPUT', retry: 'never', operation: 'VOID' },
    })
    expect(result).toMatchObject({ error: { message: expect.stringMatching(/client_orderid[\s\S]*orderid/) } })
    expect(transport.sent).toEqual([])
  })
})

const text = fc.string({ unit: 'binary', maxLength: 40 })
const word = fc.constantFrom(
  'type',
  'status',
  'paynet-order-id',
  'card-ref-id',
  'error-message',
  'error-code',
  'control',
)
const value = fc.oneof(
  fc.constantFrom('async-response', 'status-response', 'validation-error', 'error', 'approved', '6768788', ''),
  fc.jsonValue({ maxDepth: 1 }),
)
const record = fc.dictionary(fc.oneof(word, text), value, { maxKeys: 8 })
const body = fc.oneof(
  record.map((fields) => JSON.stringify(fields)),
  record.map((fields) => JSON.stringify(fields).slice(0, -2)),
  record.map((fields) =>
    Object.entries(fields)
      .map(([name, each]) => `${name}=${typeof each === 'string' ? each : JSON.stringify(each)}\n`)
      .join('&'),
  ),
  fc.array(record, { maxLength: 2 }).map((fields) => JSON.stringify(fields)),
  text,
)
const mediaType = fc.oneof(
  fc.constantFrom('application/vnd.pay+json', 'text/html;charset=utf-8', 'text/html', ''),
  text,
)
const httpStatus = fc.oneof(
  fc.constantFrom(200, 302, 400, 401, 403, 408, 429, 500, 503),
  fc.integer({ min: 100, max: 599 }),
)
const exchange: fc.Arbitrary<Exchange | Error> = fc.oneof(
  fc.tuple(httpStatus, mediaType, body).map((parts) => replied(...parts)),
  fc.constantFrom<Exchange | Error>(lost, { kind: 'not-sent', seen: 'refused' }, new Error('broken transport')),
)

/** Rows of charges have a status each, and no one that answers for all. */
const isOfRows = ({ form }: OperationCase) => 'payload' in form

describe('Whatever the gateway answers', () => {
  // One client for all runs: importing the keys is what costs time.
  const answers: { next: Exchange | Error; readonly urls: string[] } = { next: lost, urls: [] }
  const client = keyedClient({
    send: async ({ url }) => {
      answers.urls.push(url)
      if (answers.next instanceof Error) throw answers.next
      return answers.next
    },
    close: async () => undefined,
  })
  /** `error` is there in all of them: `undefined` if it was accepted. */
  const wholesome = { accepted: ['reply', 'error'], rejected: ['error'], notSent: ['error'], unknown: ['error'] }

  test('no operation is sent twice, and only the four outcomes and the typed errors result', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...operations), exchange, exchange, async (operation, first, second) => {
        answers.urls.length = 0
        answers.next = first
        const result = await operation.send(client).catch((error: unknown) => error)
        // A money operation that was refused is confirmed by status, once.
        const [, ...confirmed] = answers.urls
        expect([[], ['https://gate.example.com/paynet/api/v2/status/253']]).toContainEqual(confirmed)
        if (reads.has(operation.key)) return isReplyOrError(result)

        const { outcome, resolve, ...held } = result as Result
        expect(Object.keys(held)).toEqual(wholesome[outcome])
        expect(held.error instanceof PaymentError).toBe(outcome !== 'accepted')
        expect(resolve !== undefined).toBe(
          outcome === 'unknown' && !storingCards.has(operation.key) && !isOfRows(operation),
        )
        if (resolve === undefined) return true

        answers.next = second
        answers.urls.length = 0
        const status = await resolve().catch((error: unknown) => error)
        expect(answers.urls).toEqual(['https://gate.example.com/paynet/api/v2/status/253'])
        return isReplyOrError(status)
      }),
      { numRuns: 250 },
    )
  })
})

interface Result {
  readonly outcome: 'accepted' | 'rejected' | 'notSent' | 'unknown'
  readonly resolve?: () => Promise<unknown>
  readonly error?: unknown
  readonly reply?: unknown
}

function isReplyOrError(result: unknown): boolean {
  return result instanceof PaymentError || typeof (result as { readonly type?: unknown }).type === 'string'
}
