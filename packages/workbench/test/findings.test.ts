import type { RecordedEvent } from '@tallystick/core'
import { expect, test } from 'vitest'
import { findingsOf } from '../src/order/findings.ts'

const START = Date.UTC(2030, 0, 1)

/** An order that was approved, or is on its way there, and is called back if it has an answer. */
function order(
  id: string,
  { status = 'approved', answer }: { readonly status?: string; readonly answer?: string } = {},
) {
  const ids = { orderId: `10000000000000${id}`, clientOrderId: `inv-${id}` }
  const form = `client_orderid=inv-${id}&amount=10.42&currency=EUR`
  const asked = { type: 'request', at: START, path: '/api/v2/sale/253', headers: {}, form }
  const change = {
    type: 'state',
    at: START + 1,
    ...ids,
    operationId: `${id}-1`,
    kind: 'sale',
    serialNumber: id,
    postings: [],
  }
  const replied = { type: 'reply', at: START + 2, request: 1, operation: 'sale', serialNumber: id, ...ids }
  const called = {
    type: 'callback',
    at: START + 4,
    ...ids,
    callbackId: id,
    query: '',
    address: '',
    state: 'open',
    answer,
  }
  return [
    asked,
    { ...change, status: 'sent' },
    replied,
    { ...change, at: START + 3, status },
    ...(answer ? [called] : []),
  ]
}

const found = (...events: readonly object[]) =>
  findingsOf(events.map((event, index) => ({ id: index + 1, ...event })) as unknown as readonly RecordedEvent[])

test('[F-E16] orders that nobody has heard of stand out, the latest first', () => {
  const findings = found(...order('1'), ...order('2', { answer: '500' }), ...order('3', { answer: '200' }))
  expect(findings).toMatchObject(
    [
      { orderId: '100000000000002', clientOrderId: 'inv-2', at: START + 4, texts: [/answers the callback with 500/] },
      { orderId: '100000000000001', texts: [/nobody has asked for the status since/] },
    ].map(({ texts, ...rest }) => ({ ...rest, texts: texts.map((text) => expect.stringMatching(text)) })),
  )
})

test('[F-E16] an order that is on its way, and one that a refusal says enough of, do not', () => {
  const refused = {
    type: 'reply',
    at: START + 9,
    request: 1,
    operation: 'capture',
    refusal: { reason: 'no' },
    clientOrderId: 'inv-3',
  }
  expect(found(...order('1', { status: 'processing' }), ...order('3', { answer: '200' }), refused)).toEqual([])
})
