import { describe, expect, test } from 'vitest'
import { createPaymentClient, type Exchange, rawReplyOf } from '../../src/index.ts'
import { fakeTransport, json, lost, replied } from '../fake-transport.ts'
import { baseUrl, keyedClient, merchant } from '../merchant.ts'
import { operations } from '../operations.ts'

const order = { clientOrderId: 'invoice-a', orderId: '6768788' }
const rebill = { clientOrderId: 'invoice-a', cardRefId: '1326586', amount: '10.42', currency: 'EUR' }
const ids = { 'paynet-order-id': '6768788', 'merchant-order-id': 'invoice-a' }

const refused = json({ type: 'validation-error', 'error-message': 'Amount is wrong', 'error-code': '1' }, 400)
const badSignature = json({ type: 'error', 'error-message': 'invalid signature' }, 403)
const page = replied(403, 'text/html', '<h1>Forbidden</h1>')
const noSuchOrder = json({ type: 'validation-error', 'error-message': 'No such order', 'error-code': '2' }, 400)
const found = json({ type: 'status-response', status: 'approved', ...ids })

/** The parts of a reply that are kept for a support case. */
function rawOf(exchange: Exchange) {
  if (exchange.kind !== 'replied') throw new Error(exchange.kind)
  const { httpStatus, body } = exchange
  return { httpStatus, body }
}

function gateway(...exchanges: readonly Exchange[]) {
  const transport = fakeTransport(...exchanges)
  const warnings: string[] = []
  const onWarning = (warning: string) => warnings.push(warning)
  return { transport, warnings, client: createPaymentClient({ ...merchant, baseUrl, transport, onWarning }) }
}

describe('The refusal of a money operation is confirmed by one status check', () => {
  test.each([
    ['a validation error', refused, 'REJECTED'],
    ['a refused signature', badSignature, 'AUTH_REJECTED'],
    ['a refused signature in plain words', replied(401, 'text/plain', 'invalid signature'), 'AUTH_REJECTED'],
  ])('%s stands if there is no such order', async (_what, exchange, code) => {
    const { client, transport } = gateway(exchange, noSuchOrder)
    expect(await client.makeRebill(rebill)).toMatchObject({ outcome: 'rejected', error: { code } })
    expect(transport.sent.map(({ url }) => new URL(url).pathname)).toEqual([
      '/paynet/api/v2/make-rebill/253',
      '/paynet/api/v2/status/253',
    ])
    expect(new URLSearchParams(transport.sent[1]?.body).get('client_orderid')).toBe('invoice-a')
    expect(new URLSearchParams(transport.sent[1]?.body).get('orderid') ?? '').toBe('')
  })

  test.each([
    ['is lost', lost],
    ['is a page', replied(502, 'text/html', '<h1>Bad gateway</h1>')],
    ['is refused', badSignature],
    ['names another order', json({ type: 'status-response', ...ids, 'merchant-order-id': 'another' })],
  ])('a refusal stands if the status %s, and the status check is not repeated', async (_what, status) => {
    const { client, transport } = gateway(refused, status)
    expect(await client.makeRebill(rebill)).toMatchObject({ outcome: 'rejected' })
    expect(transport.sent).toHaveLength(2)
  })

  test.each([
    ['a validation error', refused],
    ['a refused signature', badSignature],
    ['a page that refuses', page],
  ])('%s makes the outcome unknown, with a warning, if the order exists nevertheless', async (_what, exchange) => {
    const { client, warnings } = gateway(exchange, found)
    const result = await client.makeRebill(rebill)
    expect(result).toMatchObject({ outcome: 'unknown', error: { code: 'GATEWAY_ERROR', retry: 'after-status' } })
    if (result.outcome !== 'unknown') throw new Error(result.outcome)
    expect(result.error).toMatchObject({ operation: 'REBILL', clientOrderId: 'invoice-a' })
    expect(result.error.message).toContain('and yet an order of this client order id exists')
    expect(rawReplyOf(result.error)).toEqual(expect.objectContaining(rawOf(exchange)))
    expect(await result.resolve()).toMatchObject({ status: 'approved' })
    expect(warnings.at(-1)).toContain('it was refused, and yet an order of its client order id exists')
  })

  test('the refusal to change an order is not confirmed: its status would say nothing', async () => {
    const { client, transport } = gateway(refused, found)
    expect(await client.capture({ ...order, amount: '1.00', currency: 'EUR' })).toMatchObject({ outcome: 'rejected' })
    expect(transport.sent).toHaveLength(1)
  })

  test('the refusal of an operation that moves no money is not confirmed', async () => {
    const { client, transport } = gateway(refused, found)
    expect(await client.createCardRef(order)).toMatchObject({ outcome: 'rejected' })
    expect(transport.sent).toHaveLength(1)
  })

  test('the refusal of a recurring payment is not confirmed: its id names no order', async () => {
    const transport = fakeTransport(refused, found)
    const schedule = operations.find(({ key }) => key === 'createRecurringPayment')
    expect(await schedule?.send(keyedClient(transport))).toMatchObject({ outcome: 'rejected' })
    expect(transport.sent).toHaveLength(1)
  })

  test('the refusal of rows of charges is not confirmed: no single order answers for them', async () => {
    const payload = 'client-orderid,recurring-payment-id,amount\r\na1b,77,5.00'
    const transport = fakeTransport(refused, found)
    expect(await keyedClient(transport).processRecurringPayments({ payload })).toMatchObject({ outcome: 'rejected' })
    expect(transport.sent).toHaveLength(1)
    const unclear = await keyedClient(fakeTransport(lost)).processRecurringPayments({ payload })
    expect(unclear).toMatchObject({ outcome: 'unknown' })
    expect(unclear).not.toHaveProperty('resolve')
  })

  test('the refusal of a charge of a recurring payment is confirmed by the status of its order', async () => {
    const transport = fakeTransport(refused, found)
    const charge = { clientOrderId: order.clientOrderId, recurringPaymentId: '77', amount: '5.00' }
    expect(await keyedClient(transport).processRecurringPayment(charge)).toMatchObject({ outcome: 'unknown' })
    expect(transport.sent).toHaveLength(2)
  })

  test('the refusal of an upload is not confirmed, and stands even if it is a page: an upload may be repeated', async () => {
    const { client, transport } = gateway(page, found)
    expect(await client.uploadCresResult({ ...order, cRes: 'x' })).toMatchObject({ outcome: 'rejected' })
    expect(transport.sent).toHaveLength(1)
  })
})

describe('[F-C2] A 401 or 403 that is no reply of the interface may be from a proxy after the gateway has acted:', () => {
  const rows = [401, 403].flatMap((status) => [
    [status, 'a page', replied(status, 'text/html', '<h1>Forbidden</h1>')] as const,
    [status, 'plain words', replied(status, 'text/plain', 'invalid signature')] as const,
    [status, 'JSON of somebody else', json({ message: 'Forbidden' }, status)] as const,
    [status, 'problem details', json({ type: 'about:blank', title: 'Forbidden', status }, status)] as const,
    [status, 'an error of somebody else', json({ type: 'error', error: { message: 'blocked' } }, status)] as const,
    [status, 'nothing', replied(status, '', '')] as const,
  ])

  test.each(rows)('%d with %s is unknown if the status is answered likewise', async (httpStatus, _what, exchange) => {
    const { client, transport } = gateway(exchange)
    expect(await client.makeRebill(rebill)).toMatchObject({
      outcome: 'unknown',
      error: { code: 'NO_REPLY', httpStatus },
    })
    expect(transport.sent).toHaveLength(2)
  })

  test.each([
    ['lost', lost],
    ['answered by a page', replied(503, 'text/html', '<h1>Service unavailable</h1>')],
    ['refused for another reason', json({ type: 'validation-error', 'error-message': 'Endpoint not found' }, 400)],
    ['failing', json({ type: 'error', 'error-message': 'Internal error' }, 500)],
    ['that of another order', json({ type: 'status-response', ...ids, 'merchant-order-id': 'another' })],
  ])('the outcome is unknown if the status is %s', async (_what, status) => {
    const { client } = gateway(page, status)
    expect(await client.makeRebill(rebill)).toMatchObject({ outcome: 'unknown', error: { code: 'NO_REPLY' } })
  })

  test('the operation is refused if the gateway itself refuses the signature of the status', async () => {
    const { client } = gateway(page, badSignature)
    expect(await client.makeRebill(rebill)).toMatchObject({ outcome: 'rejected', error: { code: 'AUTH_REJECTED' } })
  })

  test('a change of an order is unknown without a status request, which would say nothing', async () => {
    const { client, transport } = gateway(page, found)
    const result = await client.capture({ ...order, amount: '1.00', currency: 'EUR' })
    const error = { code: 'NO_REPLY', httpStatus: 403, operation: 'CAPTURE', clientOrderId: 'invoice-a' }
    expect(result).toMatchObject({ outcome: 'unknown', error })
    expect(transport.sent).toHaveLength(1)
  })

  test('the error says both to ask first and what to compare', async () => {
    const { client } = gateway(page)
    const result = await client.makeRebill(rebill)
    if (result.outcome !== 'unknown') throw new Error(result.outcome)
    expect(result.error.message).toMatch(
      /^REBILL: HTTP 403 with text\/html, which is no reply of the gateway\. A proxy may say so after the gateway has acted: find out before you send anything again\. A proxy or firewall in between .* Only if the gateway itself answers so, compare login test-login, endpointId 253 and the controlKey/,
    )
    expect(rawReplyOf(result.error)).toMatchObject({ httpStatus: 403, body: '<h1>Forbidden</h1>' })
  })
})

describe('A refusal because the client order id exists already makes the outcome unknown', () => {
  test.each([
    'clientOrderId (client_orderid) was used before with other content. Ask for its status, or choose a new id.',
    'Order with this client_orderid already exists',
    'Duplicate client order id',
    'Merchant order id is not unique',
    'Transaction with client-order-id=77 exists',
  ])('%s', async (message) => {
    const { client, transport } = gateway(json({ type: 'validation-error', 'error-message': message }, 400), found)
    const result = await client.makeRebill(rebill)
    expect(result).toMatchObject({ outcome: 'unknown', error: { code: 'GATEWAY_ERROR', errorMessage: message } })
    expect(transport.sent).toHaveLength(1)
    if (result.outcome === 'unknown') expect(await result.resolve()).toMatchObject({ status: 'approved' })
  })

  test.each(['Amount is wrong', 'Error parsing 7 as client order ID', 'Card has already expired'])(
    'but not these words: %s',
    async (message) => {
      const { client } = gateway(json({ type: 'validation-error', 'error-message': message }, 400), noSuchOrder)
      expect(await client.makeRebill(rebill)).toMatchObject({ outcome: 'rejected' })
    },
  )

  test('but not the refusal of a capture, whose words are about the capture', async () => {
    const { client } = gateway(json({ type: 'validation-error', 'error-message': 'Order id 7 is captured already' }))
    expect(await client.capture(order)).toMatchObject({ outcome: 'rejected' })
  })
})

test('an amount that the brand cannot sign is a wrong input, and is not sent', async () => {
  const { client, transport } = gateway(found)
  const result = await client.makeRebill({ ...rebill, amount: '10.425' })
  expect(result).toMatchObject({ outcome: 'notSent', error: { code: 'INVALID_INPUT' } })
  expect(transport.sent).toEqual([])
})

describe('A text that does not fit into a request', () => {
  test.each([
    [
      'orderDesc',
      { orderDesc: 'ж'.repeat(20_000) },
      'orderDesc (order_desc) must be shorter: encoded it takes 120011 bytes',
    ],
    [
      'extra',
      { extra: { remark: 'x'.repeat(66_000) } },
      'extra (remark) must be shorter: encoded it takes 66007 bytes',
    ],
  ])('[F-D6] %s is named before anything is sent', async (_field, texts, words) => {
    const { client, transport } = gateway()
    const result = await client.makeRebill({ ...rebill, ...texts })
    expect(result).toMatchObject({ outcome: 'notSent', error: { code: 'INVALID_INPUT' } })
    expect(result.outcome === 'notSent' && result.error.message).toContain(words)
    expect(transport.sent).toEqual([])
  })
})
