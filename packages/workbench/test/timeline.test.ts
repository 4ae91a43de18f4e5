import type { NewEvent, RecordedEvent } from '@tallystick/core'
import { expect, test } from 'vitest'
import { fieldsOf } from '../src/recorded-fields.ts'
import { callbackHostsOf, callbacksOf, judgeTrial } from '../src/sent-callbacks.ts'
import { errorsOf, intentsOf, journalChecksOf, matches, rowsOf, sumOf } from '../src/timeline.ts'

function recorded(...events: readonly NewEvent[]): readonly RecordedEvent[] {
  return events.map((event, index) => ({ version: 1, id: index + 1, ...event }))
}

const request = (at: number, form = '') =>
  ({
    half: 'gateway',
    type: 'request',
    at,
    method: 'POST',
    path: '/p/api/v2/sale/1',
    headers: {},
    form,
    bytes: 0,
  }) as const
const reply = (at: number, of: number, changes: object = {}) =>
  ({
    half: 'gateway',
    type: 'reply',
    at,
    request: of,
    operation: 'sale',
    endpointId: '1',
    httpStatus: 200,
    values: {},
    milliseconds: 3,
    ...changes,
  }) as const
const refused = (cause?: string) => ({
  httpStatus: 403,
  refusal: { reason: 'The control does not fit.', errorCode: '4', doctor: { cause, advice: 'sign it otherwise' } },
})
const callback = (at: number, answer: string, nextAt?: number) =>
  ({
    half: 'gateway',
    type: 'callback',
    at,
    orderId: '123456789012345',
    callbackId: 'c1',
    address: 'http://127.0.0.1:3000/cb',
    query: 'status=approved&client_orderid=inv-1',
    answer,
    state: answer === '200' ? 'acknowledged' : 'open',
    attempts: 1,
    nextAt,
  }) as const

test('[F-E12] a request is found by order, card, amount, code and path, in any order of the words', () => {
  const form = 'client_orderid=inv-1&amount=10.42&currency=EUR&credit_card_number=444455***1111'
  const [row] = rowsOf(recorded(request(1, form), reply(4, 1, refused('amount-in-units'))))
  expect(row).toMatchObject({ order: 'inv-1', amount: '10.42 EUR', answer: '403 amount-in-units', isBad: true })
  for (const search of ['', 'INV-1', '444455 1111', '1111 444455', '10.42', 'amount-in', '/api/v2/sale', '403'])
    expect([search, row !== undefined && matches(row, search)]).toEqual([search, true])
  for (const search of ['inv-2', '444455 2222', '200']) expect(row !== undefined && matches(row, search)).toBe(false)
})

test('[F-E12] the latest line comes first, and a request without its answer says so', () => {
  const rows = rowsOf(recorded(request(1), reply(2, 1), callback(3, '500'), request(4)))
  expect(rows.map(({ id, answer, isBad }) => [id, answer, isBad])).toEqual([
    [4, 'no answer yet', false],
    [3, '500', true],
    [1, '200', false],
  ])
})

test('[F-E12] errors are counted by cause and place, with the first and the last', () => {
  const errors = errorsOf(
    recorded(
      request(1),
      reply(10, 1, refused('amount-in-units')),
      request(11),
      reply(20, 3, refused('amount-in-units')),
      request(21),
      reply(30, 5, { ...refused('amount-in-units'), endpointId: '2' }),
      request(31),
      reply(40, 7),
      callback(50, '500'),
      callback(60, '200'),
    ),
  )
  expect(
    errors.map(({ cause, where, count, firstAt, lastAt, link }) => [cause, where, count, firstAt, lastAt, link]),
  ).toEqual([
    ['callback answered 500', 'http://127.0.0.1:3000/cb', 1, 50, 50, '#/order/123456789012345'],
    ['amount-in-units', 'sale, endpoint 2', 1, 30, 30, '#/request/5'],
    ['amount-in-units', 'sale, endpoint 1', 2, 10, 20, '#/request/3'],
  ])
})

test('[F-E12] an error without a diagnosis is named by its code, and a lost reply by its fault', () => {
  const errors = errorsOf(
    recorded(request(1), reply(2, 1, refused()), request(3), reply(4, 3, { httpStatus: 0, fault: 'reply-lost' })),
  )
  expect(errors.map(({ cause }) => cause)).toEqual(['fault: reply-lost', 'error 4: The control does not fit.'])
})

test('[F-E12] a callback has all of its attempts, and the state of the last', () => {
  expect(callbacksOf(recorded(callback(1, '500', 9), callback(9, 'ECONNREFUSED', 20), callback(20, '200')))).toEqual([
    {
      callbackId: 'c1',
      orderId: '123456789012345',
      clientOrderId: 'inv-1',
      status: 'approved',
      transaction: undefined,
      address: 'http://127.0.0.1:3000/cb',
      state: 'acknowledged',
      nextAt: undefined,
      attempts: [
        { at: 1, answer: '500' },
        { at: 9, answer: 'ECONNREFUSED' },
        { at: 20, answer: '200' },
      ],
      trials: [],
    },
  ])
})

test('[F-E12] a trial is no attempt of its callback, and no error: it is shown beside it', () => {
  const forged = { ...callback(3, '403'), trial: 'forged' } as const
  const events = recorded(callback(1, '200'), forged)
  const [{ attempts, trials, state } = {}] = callbacksOf(events)
  expect([state, attempts, trials]).toEqual([
    'acknowledged',
    [{ at: 1, answer: '200' }],
    [{ at: 3, answer: '403', trial: 'forged' }],
  ])
  expect(errorsOf(events)).toEqual([])
  expect(rowsOf(events).map(({ what, isBad }) => [what, isBad])).toEqual([
    ['callback (forged) “approved”', false],
    ['callback “approved”', false],
  ])
  expect(callbackHostsOf(events)).toMatchObject([{ answer: '200', inARow: 1 }])
})

test('[F-E12] a host has its last answer, and since when there was no other', () => {
  const events = recorded(callback(1, '200'), callback(5, '400', 9), callback(9, '400', 20), callback(20, '400'))
  expect(callbackHostsOf(events)).toEqual([
    { origin: 'http://127.0.0.1:3000', answer: '400', since: 5, lastAt: 20, inARow: 3 },
  ])
})

test.for([
  ['forged', '200', 'bad'],
  ['forged', '403', 'good'],
  ['forged', '500', 'open'],
  ['shifted', '200', 'open'],
  ['shifted', '400', 'good'],
  ['shifted', 'ECONNREFUSED', 'open'],
  ['other-amount', '200', 'good'],
  ['other-amount', '403', 'bad'],
  ['twice', '200', 'good'],
  ['twice', '400', 'bad'],
  ['twice', '500', 'open'],
] as const)('[F-E12] a shop that answers a callback sent %s with %s is judged %s', ([trial, answer, tone]) => {
  expect(judgeTrial(trial, answer).tone).toBe(tone)
})

test('[F-E8] an intent is as it was written last, with all that was seen of it, and is due when it is checked', () => {
  const intent = (at: number, state: string, more: object = {}) =>
    ({
      half: 'merchant',
      type: 'intent',
      at,
      intentId: 'i-1',
      businessKey: 'invoice 77',
      attempt: 1,
      operation: 'sale',
      clientOrderId: 'a1z',
      state,
      intentVersion: at,
      ...more,
    }) as const
  const events = recorded(intent(1, 'SENDING'), intent(2, 'UNKNOWN', { seen: 'time-out', nextCheckAt: 7 }))
  expect(intentsOf(events)).toMatchObject([
    {
      state: 'UNKNOWN',
      history: [
        { at: 1, state: 'SENDING' },
        { at: 2, state: 'UNKNOWN', seen: 'time-out' },
      ],
    },
  ])
  expect(journalChecksOf(events)).toEqual([{ intentId: 'i-1', at: 7, orderId: undefined, clientOrderId: 'a1z' }])
})

test.for([
  [[], '0'],
  [['10.42', '-10.42'], '0.00'],
  [['0.10', '0.20'], '0.30'],
  [['5', '0.5'], '5.5'],
  [['-0.05', '0.01'], '-0.04'],
  [['900719925474099.93', '0.01'], '900719925474099.94'],
  [['100', '-1000'], '-900'],
] as const)('[F-E12] the sum of %j is %s', ([amounts, sum]) => {
  expect(sumOf(amounts)).toBe(sum)
})

test('[F-E12] a form is decoded in its order, with names that repeat', () => {
  expect(fieldsOf('a=x+y&b=%2B49&a=2')).toEqual([
    ['a', 'x y'],
    ['b', '+49'],
    ['a', '2'],
  ])
})
