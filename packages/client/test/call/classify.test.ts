import { describe, expect, test } from 'vitest'
import type { Exchange } from '../../src/index.ts'
import { classic, fakeTransport, json, lost, replied } from '../fake-transport.ts'
import { merchantClient } from '../merchant.ts'
import { ending, errorOf } from '../outcomes.ts'

const order = { clientOrderId: '902B4FF5', orderId: '6768788' }

/** A money operation, a read and an operation that stores a card, each with its own success in both formats. */
const subjects = [
  {
    name: 'a money operation',
    send: (...exchanges: ReadonlyArray<Exchange | Error>) =>
      merchantClient(fakeTransport(...exchanges)).capture({ ...order, amount: '10.42', currency: 'USD' }),
    endings: {
      accepted: 'accepted',
      REJECTED: 'rejected REJECTED',
      AUTH_REJECTED: 'rejected AUTH_REJECTED',
      BY_A_PAGE: 'unknown NO_REPLY',
      NOT_SENT: 'notSent NOT_SENT',
      NO_REPLY: 'unknown NO_REPLY',
      GATEWAY_ERROR: 'unknown GATEWAY_ERROR',
    },
    json: { type: 'async-response', 'paynet-order-id': '6768788', 'merchant-order-id': '902B4FF5' },
    classic: 'type=async-response\n&paynet-order-id=6768788\n&merchant-order-id=902B4FF5\n',
  },
  {
    name: 'a read',
    send: (...exchanges: ReadonlyArray<Exchange | Error>) => merchantClient(fakeTransport(...exchanges)).status(order),
    endings: {
      accepted: 'accepted',
      REJECTED: 'thrown REJECTED',
      AUTH_REJECTED: 'thrown AUTH_REJECTED',
      BY_A_PAGE: 'thrown AUTH_REJECTED',
      NOT_SENT: 'thrown NOT_SENT',
      NO_REPLY: 'thrown NO_REPLY',
      GATEWAY_ERROR: 'thrown GATEWAY_ERROR',
    },
    json: { type: 'status-response', status: 'declined', 'paynet-order-id': '6768788' },
    classic: 'type=status-response\n&status=declined\n&paynet-order-id=6768788\n',
  },
  {
    name: 'an operation that stores a card',
    send: (...exchanges: ReadonlyArray<Exchange | Error>) =>
      merchantClient(fakeTransport(...exchanges)).createCardRef(order),
    endings: {
      accepted: 'accepted',
      REJECTED: 'rejected REJECTED',
      AUTH_REJECTED: 'rejected AUTH_REJECTED',
      BY_A_PAGE: 'unknown NO_REPLY',
      NOT_SENT: 'notSent NOT_SENT',
      NO_REPLY: 'unknown NO_REPLY',
      GATEWAY_ERROR: 'unknown GATEWAY_ERROR',
    },
    json: { type: 'create-card-ref-response', status: 'approved', 'card-ref-id': '1326586' },
    classic: 'type=create-card-ref-response\n&status=approved\n&card-ref-id=1326586\n',
  },
]

type Subject = (typeof subjects)[number]
type Verdict = keyof Subject['endings']
type Row = readonly [seen: string, verdict: Verdict, exchange: (subject: Subject) => Exchange | Error]

const refused = { type: 'validation-error', 'error-message': 'Amount is wrong', 'error-code': '1' }
const failed = { type: 'error', 'error-message': 'Internal error', 'error-code': '6' }
const refusedClassic = 'type=validation-error\n&error-message=Amount+is+wrong\n&error-code=1\n'
const failedClassic = 'type=error\n&error-message=Internal+error\n&error-code=6\n'
const page = '<html><body>Bad gateway</body></html>'

const answers: readonly Row[] = [
  ['[S4-06] [G2.1-03] a success in JSON', 'accepted', (subject) => json(subject.json)],
  ['[G2.1-01] [G2.1-02] a success in the classic format', 'accepted', ({ classic: text }) => classic(text)],
  ...['application/vnd.pay+json; charset=utf-8', 'application/vnd.pay+json ;charset=utf-8', 'APPLICATION/JSON', ''].map(
    (mediaType): Row => [
      `a success in JSON under the media type "${mediaType}"`,
      'accepted',
      (subject) => replied(200, mediaType, JSON.stringify(subject.json)),
    ],
  ),
  ...['text/plain', 'application/x-www-form-urlencoded'].map(
    (mediaType): Row => [
      `a success in the classic format under the media type "${mediaType}"`,
      'accepted',
      (subject) => replied(200, mediaType, subject.classic),
    ],
  ),
  [
    '[G2.3-01] a success with HTTP 400, as a declined request may come',
    'accepted',
    (subject) => json(subject.json, 400),
  ],
  ['a success with HTTP 422', 'accepted', (subject) => json(subject.json, 422)],
  ['[S4-07] [S7-01] a validation error with HTTP 400', 'REJECTED', () => json(refused, 400)],
  ...[200, 302, 404, 408, 429, 500, 503].map(
    (status): Row => [`a validation error with HTTP ${status}`, 'REJECTED', () => json(refused, status)],
  ),
  ['[G2.1-04] a validation error in the classic format, with HTTP 200', 'REJECTED', () => classic(refusedClassic)],
  ['[S4-08] [S7-02] a server error with HTTP 500', 'GATEWAY_ERROR', () => json(failed, 500)],
  ...[200, 400, 404, 429, 502].map(
    (status): Row => [`a server error with HTTP ${status}`, 'GATEWAY_ERROR', () => json(failed, status)],
  ),
  ['[G2.1-04] a server error in the classic format, with HTTP 200', 'GATEWAY_ERROR', () => classic(failedClassic)],
  ['an error message without a type', 'GATEWAY_ERROR', () => json({ 'error-message': 'Order not found' })],
]

const refusedSignatures: readonly Row[] = [401, 403].flatMap((status): readonly Row[] => [
  [`HTTP ${status} in plain words`, 'BY_A_PAGE', () => replied(status, 'text/plain', 'invalid signature: x')],
  [`HTTP ${status} without a body`, 'BY_A_PAGE', () => replied(status, '', '')],
  [`HTTP ${status} with a page`, 'BY_A_PAGE', () => replied(status, 'text/html', page)],
  [`HTTP ${status} with a validation error`, 'AUTH_REJECTED', () => json(refused, status)],
  [`HTTP ${status} with a server error`, 'AUTH_REJECTED', () => json(failed, status)],
  [`HTTP ${status} with a success`, 'NO_REPLY', (subject) => json(subject.json, status)],
  [
    `HTTP ${status} with an error that names an order`,
    'NO_REPLY',
    () => json({ ...failed, 'paynet-order-id': '6768788' }, status),
  ],
])

const noReplies: readonly Row[] = [
  ['[G2.3-02] a page with HTTP 200', 'NO_REPLY', () => replied(200, 'text/html;charset=utf-8', page)],
  ['nothing with HTTP 200', 'NO_REPLY', () => replied(200, 'application/vnd.pay+json', '')],
  ['nothing with HTTP 204', 'NO_REPLY', () => replied(204, '', '')],
  [
    'JSON that is cut',
    'NO_REPLY',
    (subject) => replied(200, 'application/json', JSON.stringify(subject.json).slice(0, -1)),
  ],
  ['the classic format, cut in the type', 'NO_REPLY', () => classic('typ')],
  ['a JSON list', 'NO_REPLY', (subject) => replied(200, 'application/json', JSON.stringify([subject.json]))],
  ['JSON null', 'NO_REPLY', () => replied(200, 'application/json', 'null')],
  ['a JSON text', 'NO_REPLY', () => replied(200, 'application/json', '"type=async-response"')],
  ['JSON without a type', 'NO_REPLY', () => json({ hello: 'world' })],
  ['a form without a type', 'NO_REPLY', () => classic('hello=world\n')],
  ['a name that comes twice', 'NO_REPLY', ({ classic: text }) => classic(`${text}&${text}`)],
  ...[
    'application/xml',
    'application/json-seq',
    'text/html-sandboxed',
    'application/octet-stream',
    'image/png',
    'x',
  ].map(
    (mediaType): Row => [
      `a success under the foreign media type ${mediaType}`,
      'NO_REPLY',
      (subject) => replied(200, mediaType, JSON.stringify(subject.json)),
    ],
  ),
  ...[301, 302, 303, 304, 307, 308].flatMap((status): readonly Row[] => [
    [`HTTP ${status} with a page`, 'NO_REPLY', () => replied(status, 'text/html', page)],
    [`HTTP ${status} with a success`, 'NO_REPLY', (subject) => json(subject.json, status)],
  ]),
  ...[408, 425, 429, 500, 502, 503, 504].flatMap((status): readonly Row[] => [
    [`[G2.3-02] HTTP ${status} with a page`, 'NO_REPLY', () => replied(status, 'text/html', page)],
    [`HTTP ${status} without a body`, 'NO_REPLY', () => replied(status, '', '')],
    [`HTTP ${status} with a success`, 'NO_REPLY', (subject) => json(subject.json, status)],
    [`HTTP ${status} with a success in the classic format`, 'NO_REPLY', ({ classic: text }) => classic(text, status)],
  ]),
  ...[400, 404, 413, 418].map(
    (status): Row => [`[G2.3-02] HTTP ${status} with a page`, 'NO_REPLY', () => replied(status, 'text/html', page)],
  ),
  ['a connection that was lost', 'NO_REPLY', () => lost],
  ['a transport that throws, though it must not', 'NO_REPLY', () => new TypeError('fetch failed')],
]

const unsent: readonly Row[] = [
  [
    'a connection that was refused',
    'NOT_SENT',
    () => ({ kind: 'not-sent', seen: 'the connection failed with ECONNREFUSED' }),
  ],
]

describe.each(subjects)('For $name', (subject) => {
  describe('[G9-01] a reply is judged by its type', () => {
    test.each(answers)('%s is %s', async (_seen, verdict, exchange) => {
      expect(await ending(subject.send(exchange(subject)))).toBe(subject.endings[verdict])
    })
  })

  describe('[G12-03] [S5.2-26] [S7-03] 401 and 403 mean that the signature was refused, unless an order is named', () => {
    test.each(refusedSignatures)('%s is %s', async (_seen, verdict, exchange) => {
      expect(await ending(subject.send(exchange(subject)))).toBe(subject.endings[verdict])
    })
  })

  describe('only a reply of the interface, or a connection that was refused, proves anything', () => {
    test.each([...noReplies, ...unsent])('%s is %s', async (_seen, verdict, exchange) => {
      expect(await ending(subject.send(exchange(subject)))).toBe(subject.endings[verdict])
    })
  })
})

describe('A reply without a required field', () => {
  const [capture, , createCardRef] = subjects as [Subject, Subject, Subject]

  test.each<readonly [what: string, subject: Subject, exchange: Exchange, lacks: string]>([
    ['names no order', capture, json({ type: 'async-response' }), 'paynet-order-id'],
    [
      'names no order, in the classic format',
      capture,
      classic('type=async-response\n&serial-number=7\n'),
      'paynet-order-id',
    ],
    [
      'is cut before the order',
      capture,
      classic('type=async-response\n&serial-number=7\n&paynet-ord'),
      'paynet-order-id',
    ],
    [
      'is cut inside the order, whose rest may have been longer',
      capture,
      classic('type=async-response\n&serial-number=7\n&paynet-order-id=67'),
      'paynet-order-id',
    ],
    ['names no card', createCardRef, json({ type: 'create-card-ref-response' }), 'card-ref-id'],
  ])('is unknown when it %s', async (_what, subject, exchange, lacks) => {
    expect(await ending(subject.send(exchange))).toBe('unknown GATEWAY_ERROR')
    expect(await errorOf(subject.send(exchange))).toMatchObject({ seen: expect.stringMatching(`lacks ${lacks}$`) })
  })

  test('[G9-02] keeps the error message, the code and the serial number that say why', async () => {
    const told = { 'error-message': 'Limit exceeded', 'error-code': '42', 'serial-number': '0000-2d9b22a' }
    const error = await errorOf(capture.send(json({ type: 'async-response', ...told })))
    expect(error).toMatchObject({
      code: 'GATEWAY_ERROR',
      message:
        'CAPTURE: HTTP 200 with application/vnd.pay+json lacks paynet-order-id: "Limit exceeded". Ask for the status before anything else.',
      errorMessage: 'Limit exceeded',
      errorCode: '42',
      serialNumber: '0000-2d9b22a',
      httpStatus: 200,
      clientOrderId: '902B4FF5',
    })
  })

  test('at HTTP 403 still means that the signature was refused, unless it names an order', async () => {
    const { saleForm } = merchantClient(
      fakeTransport(json({ type: 'async-form-response', 'paynet-order-id': '1' }, 403)),
    )
    const form = saleForm({
      clientOrderId: 'A1',
      orderDesc: 'Tea',
      address1: '100 Main st',
      city: 'Seattle',
      zipCode: '1235',
      country: 'DE',
      phone: '+12063582043',
      email: 'john.smith@gmail.com',
      customerIp: '65.153.12.232',
      amount: '10.42',
      currency: 'EUR',
      redirectUrl: 'https://shop.example.com/back',
    })
    expect(await ending(form)).toBe('unknown NO_REPLY')
    expect(await ending(capture.send(json({ type: 'async-response' }, 403)))).toBe('rejected AUTH_REJECTED')
  })
})

describe('An error says what was seen', () => {
  const [capture] = subjects as [Subject]

  test('[G9-02] a refusal keeps message, code and serial number', async () => {
    const answer = { ...refused, 'serial-number': '00000000-0000-0000-0000-000002d9b22a' }
    expect(await errorOf(capture.send(json(answer, 400)))).toMatchObject({
      code: 'REJECTED',
      retry: 'never',
      operation: 'CAPTURE',
      clientOrderId: '902B4FF5',
      httpStatus: 400,
      errorMessage: 'Amount is wrong',
      errorCode: '1',
      serialNumber: '00000000-0000-0000-0000-000002d9b22a',
      message:
        'CAPTURE: the gateway refused the request: "Amount is wrong". Nothing was created: fix the request as the gateway says.',
    })
  })

  test('[G13-05] [G12-02] an error code is a text, whether the reply has a number or a text', async () => {
    expect(await errorOf(capture.send(json({ ...refused, 'error-code': 10 })))).toMatchObject({ errorCode: '10' })
    expect(await errorOf(capture.send(json({ ...refused, 'error-code': 'Unknown error' })))).toMatchObject({
      errorCode: 'Unknown error',
    })
  })

  test('a refused signature says what to compare', async () => {
    expect(await errorOf(capture.send(json({ type: 'error' }, 403)))).toMatchObject({
      code: 'AUTH_REJECTED',
      retry: 'never',
      message: expect.stringMatching(
        /^CAPTURE: Wrong key, login or endpoint: compare login test-login, endpointId 253 and the controlKey with the gateway's; the control was made of login \+ clientOrderId \+ orderId \+ amountInCents \+ currency \+ controlKey\. Seen: the signature was refused \(HTTP 403 with application\/vnd\.pay\+json\)\.$/,
      ),
    })
  })

  test('a page is described by its status and the first 60 characters of its media type', async () => {
    expect(await errorOf(capture.send(replied(502, 'text/html ; charset=utf-8', page)))).toMatchObject({
      message:
        'CAPTURE: HTTP 502 with text/html is no reply of the gateway. It may have taken effect: ask for its status, never send it again.',
      seen: 'HTTP 502 with text/html is no reply of the gateway',
      httpStatus: 502,
      retry: 'after-status',
    })
    const long = await errorOf(capture.send(replied(200, `text/${'x'.repeat(1000)}`, page)))
    expect(long).toMatchObject({ seen: `HTTP 200 with text/${'x'.repeat(55)} is no reply of the gateway` })
    expect(await errorOf(capture.send(replied(200, '', page)))).toMatchObject({
      seen: 'HTTP 200 with no media type is no reply of the gateway',
    })
  })

  test('a request that was not sent may be sent again', async () => {
    expect(
      await errorOf(capture.send({ kind: 'not-sent', seen: 'the connection failed with ECONNREFUSED' })),
    ).toMatchObject({
      message:
        'CAPTURE: the connection failed with ECONNREFUSED. Nothing was sent: check the address and the network, then send the same request again.',
      retry: 'safe',
      httpStatus: undefined,
    })
  })
})

describe('Replies', () => {
  const reply = (exchange: Exchange) => merchantClient(fakeTransport(exchange)).status(order)

  test('[G12-02] [G2.2-01] ids, amounts and codes are kept as text, whatever their size and type', async () => {
    const text =
      '{"type":"status-response","paynet-order-id":6768788,"processor-tx-id":12345678901234567890,"amount":10.40,"error-code":7}'
    expect(await reply(replied(200, 'application/json', text))).toMatchObject({
      orderId: '6768788',
      processorTxId: '12345678901234567890',
      amount: '10.40',
      errorCode: '7',
    })
  })

  test('[G5-02] a status that is absent is processing, and an unknown one is kept as its text', async () => {
    expect(await reply(json({ type: 'status-response', 'paynet-order-id': '6768788' }))).toMatchObject({
      status: 'processing',
    })
    expect(
      await reply(json({ type: 'status-response', status: 'frozen', 'paynet-order-id': '6768788' })),
    ).toMatchObject({
      status: 'frozen',
    })
  })

  test.each([
    ['another merchant-order-id', { 'paynet-order-id': '6768788', 'merchant-order-id': 'somebody-else' }],
    ['another paynet-order-id', { 'paynet-order-id': '6768789' }],
    ['no order at all', {}],
  ])('[G9-02] a status that names %s is not believed', async (_name, ids) => {
    const status = reply(json({ type: 'status-response', status: 'approved', ...ids }))
    await expect(status).rejects.toMatchObject({ code: 'NO_REPLY', retry: 'safe' })
  })

  test.each([
    ['under our id', order.clientOrderId, '6768789'],
    ['under another id', 'somebody-else', undefined],
    ['under none', undefined, undefined],
  ])(
    'the error of a status of another order %s names that order only if it is ours',
    async (_name, id, otherOrderId) => {
      const ids = { 'paynet-order-id': '6768789', 'merchant-order-id': id }
      const status = reply(json({ type: 'status-response', status: 'approved', ...ids }))
      await expect(status).rejects.toMatchObject({ code: 'NO_REPLY', otherOrderId })
    },
  )

  test('an acknowledgement of another order of the merchant is not believed', async () => {
    const other = json({ type: 'async-response', 'paynet-order-id': '1', 'merchant-order-id': 'somebody-else' })
    expect(await merchantClient(fakeTransport(other)).capture(order)).toMatchObject({ outcome: 'unknown' })
  })

  test.each([
    ['a refusal', { type: 'validation-error', 'error-message': 'wrong amount' }, 200, 'rejected'],
    ['a refusal by HTTP 400', { type: 'validation-error', 'error-message': 'wrong amount' }, 400, 'rejected'],
    ['a refused signature', { type: 'validation-error', 'error-message': 'wrong control' }, 403, 'rejected'],
    ['a failure', { type: 'error', 'error-message': 'out of order' }, 200, 'unknown'],
  ])('%s is believed only about our own order', async (_what, answer, httpStatus, outcome) => {
    const refused = (id: string) => json({ ...answer, 'merchant-order-id': id }, httpStatus)
    const client = merchantClient(fakeTransport(refused(order.clientOrderId), refused('somebody-else')))
    expect(await client.capture(order)).toMatchObject({ outcome })
    expect(await client.capture(order)).toMatchObject({
      outcome: 'unknown',
      error: { code: 'NO_REPLY', message: expect.stringContaining('names another order') },
    })
  })

  test.each(['{}', '6768788.0', '1.2345678901E10', '9'.repeat(21), '6d8fd2a0-3f43-4ad5-9d1f-5e6a1bd1a4a0'])(
    'an order id of %s, for which no status can be asked, acknowledges nothing',
    async (orderId) => {
      const answer = { type: 'async-response', 'paynet-order-id': orderId, 'merchant-order-id': order.clientOrderId }
      expect(await merchantClient(fakeTransport(json(answer))).capture(order)).toMatchObject({
        outcome: 'unknown',
        error: { code: 'NO_REPLY', message: expect.stringContaining('names no order id') },
      })
    },
  )

  test('an acknowledgement is believed even if the caller gave the id with white space around it', async () => {
    const ids = { 'paynet-order-id': '6768788', 'merchant-order-id': order.clientOrderId }
    const client = merchantClient(fakeTransport(json({ type: 'async-response', ...ids })))
    const capture = { ...order, clientOrderId: ` ${order.clientOrderId} ` }
    const result = await client.capture(capture)
    expect(result).toMatchObject({ outcome: 'accepted' })
    expect(result).toHaveProperty('error', undefined)
  })

  test('an acknowledgement is not believed under HTTP 300', async () => {
    const ids = { 'paynet-order-id': '6768788', 'merchant-order-id': order.clientOrderId }
    const client = merchantClient(fakeTransport(json({ type: 'async-response', ...ids }, 300)))
    expect(await client.capture(order)).toMatchObject({ outcome: 'unknown', error: { httpStatus: 300 } })
  })

  test('[G12-09] create-card-ref may be answered with async-response', async () => {
    const client = merchantClient(fakeTransport(json({ type: 'async-response', 'card-ref-id': '1326586' })))
    expect(await client.createCardRef(order)).toMatchObject({ outcome: 'accepted', reply: { cardRefId: '1326586' } })
  })

  test.each(['redirect_url', 'redirect-url', 'redirect-to'])(
    '[G13-13] the address in %s is read as one field',
    async (name) => {
      const answer = { type: 'async-response', 'paynet-order-id': '1', [name]: 'https://gate.example.com/3ds/1' }
      expect(await merchantClient(fakeTransport(json(answer))).capture(order)).toMatchObject({
        reply: { redirectUrl: 'https://gate.example.com/3ds/1' },
      })
    },
  )

  test('a profile respells the names of reply fields', async () => {
    const client = merchantClient(
      fakeTransport(json({ type: 'status-response', creq: 'eyJ0', 'paynet-order-id': '6768788' })),
      {
        wireNames: { StatusResponse: { creqFormCreq: 'creq' } },
      },
    )
    expect(await client.status(order)).toMatchObject({ creqFormCreq: 'eyJ0' })
  })
})
