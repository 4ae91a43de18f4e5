import type { RecordedEvent } from '@tallystick/core'
import { expect, test } from 'vitest'
import { hintsOf } from '../src/order/hints.ts'
import type { Order } from '../src/order/order.ts'

const START = Date.UTC(2030, 0, 1)
const time = (at: number) => new Date(START + at).toISOString()
const sale = {
  id: 'o-1',
  kind: 'sale',
  amount: '10.42',
  status: 'approved',
  createdAt: time(0),
  statusAt: time(5),
  serialNumber: 's-1',
}

function order(changes: Partial<Order> = {}): Order {
  return {
    orderId: '531396663215663',
    clientOrderId: 'inv-1',
    login: 'shop',
    endpointId: '253',
    status: 'approved',
    transactionType: 'sale',
    currency: 'EUR',
    faults: [],
    operations: [sale],
    postings: [],
    tasks: [],
    callbacks: [{ id: 'o-1' }],
    actions: [],
    ...changes,
  }
}

function recorded(...events: readonly object[]): readonly RecordedEvent[] {
  return events.map((event, index) => ({ id: index + 1, ...event })) as unknown as readonly RecordedEvent[]
}

const form = (clientOrderId: string, amount = '10.42') =>
  `client_orderid=${clientOrderId}&amount=${amount}&currency=EUR&credit_card_number=444433***1111`
const request = (at: number, more: object = {}) => ({
  type: 'request',
  at: START + at,
  path: '/api/v2/sale/253',
  headers: {},
  form: form('inv-1'),
  ...more,
})
const asked = (at: number, more: object = {}) => request(at, { path: '/api/v2/status/253', form: undefined, ...more })
const reply = (at: number, more: object = {}) => ({
  type: 'reply',
  at: START + at,
  request: 1,
  operation: 'sale',
  serialNumber: 's-1',
  ...more,
})
const callback = (at: number, answer: string, more: object = {}) => ({
  type: 'callback',
  at: START + at,
  answer,
  ...more,
})
const texts = (shown: Order, own: readonly RecordedEvent[], all = own) =>
  hintsOf(shown, own, all).map(({ text }) => text)

test('[F-E16] an order whose shop has acknowledged the outcome has nothing that stands out', () => {
  expect(hintsOf(order(), recorded(request(0), reply(1), callback(6, '200')), [])).toEqual([])
})

test('[F-E16] a shop that has asked for the status since the outcome knows it; one that asked before, or a trial, does not count', () => {
  const before = [request(0), reply(1), asked(2), reply(3, { request: 3, operation: 'status' })]
  const trial = callback(7, '200', { trial: 'forged' })
  expect(texts(order(), recorded(...before, callback(6, '500'), trial))).toEqual([
    'Your shop does not know that it is approved: it answers the callback with 500, and has not asked for the status since.',
  ])
  const after = [asked(8), reply(9, { request: 7, operation: 'status' })]
  expect(texts(order(), recorded(...before, callback(6, '500'), trial, ...after))).toEqual([])
})

test('[F-E16] the status that the workbench has asked for is not the shop asking', () => {
  const headers = { 'user-agent': 'tallystick-workbench (t1z)' }
  const events = recorded(request(0), reply(1), asked(8, { headers }), reply(9, { request: 3, operation: 'status' }))
  expect(texts(order({ callbacks: [] }), events)).toEqual([
    'Your shop does not know that it is approved: the request named no address for a callback, and nobody has asked for the status since.',
  ])
})

test('[F-E16] a hold is said to have expired only if no request has released it', () => {
  const preauth = { ...sale, kind: 'preauth' }
  const cancel = { ...sale, id: 'o-2', kind: 'cancel', serialNumber: 's-2', statusAt: time(9) }
  const held = order({ operations: [preauth, cancel] })
  const events = [request(0), reply(1), callback(10, '200')]
  expect(texts(held, recorded(...events))).toEqual([
    'The hold has expired: at 2030-01-01 00:00:00 the gateway released 10.42 EUR, so that nothing can be captured any more.',
  ])
  expect(texts(held, recorded(...events, reply(9, { operation: 'void', serialNumber: 's-2' })))).toEqual([])
  expect(texts(held, recorded(callback(10, '200')))).toEqual([])
})

test.for([
  ['another id at the same time', request(400, { form: form('inv-2') }), 1],
  ['another id a minute later', request(60_000, { form: form('inv-2') }), 0],
  ['another customer', request(400, { form: `${form('inv-2')}&email=b@example.com` }), 0],
  ['another amount', request(400, { form: form('inv-2', '10.43') }), 0],
  ['another operation', request(400, { form: form('inv-2'), path: '/api/v2/preauth/253' }), 0],
  ['no form', request(400, { form: undefined }), 0],
] as const)('[F-E16] a payment with %s is a button pressed twice: %o', ([, other, count]) => {
  const own = [request(0), reply(1), callback(6, '200')]
  const hints = texts(order(), recorded(...own), recorded(...own, other))
  expect(hints.filter((text) => text.includes('as inv-2: was a button pressed twice?'))).toHaveLength(count)
})

test('[F-E16] a customer who is waited for, and one who has left, stand out', () => {
  const challenge = { type: 'three-ds', at: START + 3, step: 'challenge', direction: 'to-issuer' }
  const waiting = { ...sale, status: 'processing', awaits: 'challenge' }
  const tasks = [{ id: 'a', kind: 'abandon', dueAt: time(1_800_000) }]
  const events = recorded(request(0), reply(1), challenge, callback(10, '200'))
  expect(texts(order({ operations: [waiting], tasks }), events)).toEqual([
    'It waits for the customer, who has to finish 3-D Secure (challenge): until 2030-01-01 00:30:00, then it is declined.',
  ])
  const left = { ...sale, status: 'declined' }
  expect(texts(order({ operations: [left] }), events)).toEqual([
    expect.stringMatching(
      /^Nobody has finished 3-D Secure: the issuer was asked \(challenge\).* No page of the gateway was opened/,
    ),
  ])
  const back = { ...challenge, direction: 'from-issuer' }
  expect(
    texts(order({ operations: [left] }), recorded(request(0), reply(1), challenge, back, callback(10, '200'))),
  ).toEqual([])
})

test('[F-E16] a request that was refused, and one that came twice, stand out', () => {
  const twice = [request(0), reply(1), request(2), reply(3, { request: 3 })]
  expect(texts(order(), recorded(...twice, callback(6, '200')))).toEqual([
    'Its request was sent 2 times with this id, and carried out once.',
  ])
  const refused = reply(9, { operation: 'capture', refusal: { reason: 'nothing is on hold any more' } })
  expect(hintsOf(order(), recorded(request(0), reply(1), callback(6, '200'), refused), [])).toEqual([
    { tone: 'bad', text: 'capture was refused: nothing is on hold any more', link: '#/request/1' },
  ])
})
