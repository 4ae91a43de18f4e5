import type { RecordedEvent } from '@tallystick/core'
import { describe, expect, test } from 'vitest'
import { EVENTS_HEAD, eventWriter } from '../../src/sandbox/event-lines.ts'

/** 2030-01-01T00:00:00Z. */
const AT = 1_893_456_000_000
const ORDER = '941264256464555'
const of = { version: 1, half: 'gateway', at: AT } as const
const shop = { ...of, half: 'merchant' } as const
const NARROW = { width: 80, isColoured: false }

const request: RecordedEvent = {
  ...of,
  id: 1,
  type: 'request',
  method: 'POST',
  path: '/paynet/api/v2/sale/1',
  headers: {},
  form: 'client_orderid=inv-1&amount=10.42&currency=EUR&credit_card_number=444455******1111',
  bytes: 381,
}

const reply: RecordedEvent = {
  ...of,
  id: 2,
  type: 'reply',
  request: 1,
  operation: 'sale',
  clientOrderId: 'inv-1',
  orderId: ORDER,
  verifiedBy: 'control',
  httpStatus: 200,
  values: { type: 'async-response', orderId: ORDER },
  milliseconds: 7,
}

const refused: RecordedEvent = {
  ...of,
  id: 3,
  type: 'reply',
  request: 1,
  operation: 'sale',
  clientOrderId: 'inv-1',
  refusal: {
    reason: 'the control does not match',
    errorCode: '4',
    doctor: { cause: 'amount-in-units', advice: 'sign amountInCents in minor units: 10.42 is signed as 1042' },
  },
  httpStatus: 403,
  values: { type: 'error' },
  milliseconds: 2,
}

const decided: RecordedEvent = {
  ...of,
  id: 5,
  type: 'state',
  orderId: ORDER,
  clientOrderId: 'inv-1',
  login: 'test',
  endpointId: '1',
  orderVersion: 2,
  operationId: `${ORDER}-1`,
  kind: 'sale',
  status: 'declined',
  errorCode: '116',
  amount: '10.42',
  currency: 'EUR',
  postings: [],
  serialNumber: 's',
}

const called: RecordedEvent = {
  ...of,
  id: 6,
  type: 'callback',
  orderId: ORDER,
  callbackId: `${ORDER}-1`,
  address: 'http://127.0.0.1:3000/callbacks',
  query: 'status=approved&client_orderid=inv-1',
  answer: '200',
  state: 'acknowledged',
  attempts: 1,
}

/** The lines of events in this order. */
const lines = (events: readonly RecordedEvent[], shape = NARROW) => events.map(eventWriter(shape))

describe('an event is a line', () => {
  test.for<readonly [string, RecordedEvent, string]>([
    ['of a request that came in', request, 'in        inv-1           POST /paynet/api/v2/sale/1 10.42 EUR'],
    ['of its answer', reply, 'out       inv-1           200 sale, order 941264256464555, 7 ms'],
    [
      'of an answer that was lost on demand',
      { ...reply, httpStatus: 0, fault: 'reply-lost-after-commit', values: {}, orderId: undefined },
      'out       inv-1           no reply to sale, fault reply-lost-after-co…',
    ],
    [
      'of the bank',
      {
        ...of,
        id: 4,
        type: 'acquirer',
        call: 'execute',
        kind: 'sale',
        clientOrderId: 'inv-1',
        amount: '10.42',
        currency: 'EUR',
        answer: 'approved',
        milliseconds: 3,
      },
      'bank      inv-1           execute sale 10.42 EUR: approved, 3 ms',
    ],
    ['of a decision', decided, 'decided   inv-1           sale 10.42 EUR: declined, error-code 116'],
    [
      'of an operation that has no outcome yet',
      { ...decided, status: 'sent', errorCode: undefined },
      'order     inv-1           sale 10.42 EUR: sent',
    ],
    ['of a callback', called, 'callback  inv-1           approved: 200, acknowledged, try 1'],
    [
      'of a callback that is sent again',
      { ...called, answer: 'ECONNREFUSED', state: 'open', attempts: 2, nextAt: AT + 90_000 },
      'callback  inv-1           approved: ECONNREFUSED, try 2, next 00:01:30',
    ],
    [
      'of a page',
      {
        ...of,
        id: 7,
        type: 'page',
        method: 'GET',
        page: '/form/{token}',
        httpStatus: 200,
        shown: 'Payment',
        milliseconds: 1,
      },
      'page                      GET /form/{token}: 200, Payment',
    ],
    [
      'of 3-D Secure',
      {
        ...of,
        id: 8,
        type: 'three-ds',
        step: 'challenge',
        direction: 'to-issuer',
        orderId: ORDER,
        operationId: '1',
        fields: {},
      },
      '3ds                       challenge, to the issuer',
    ],
    [
      'of a fault',
      { ...of, id: 9, type: 'fault', what: 'set', fault: 'slow-reply', operation: 'sale' },
      'fault                     set, slow-reply, sale',
    ],
    [
      'of the clock',
      { ...of, id: 10, type: 'clock', byMs: 90_000 },
      'clock                     set ahead by 90 s to 2030-01-01 00:00:00',
    ],
    [
      'of events that are gone',
      { ...of, id: 11, type: 'dropped', count: 12 },
      'dropped                   12 events: there were too many to keep',
    ],
    [
      "of the shop's call",
      {
        ...shop,
        id: 12,
        type: 'call',
        operation: 'SALE',
        clientOrderId: 'inv-1',
        endpointId: '1',
        verdict: 'unknown',
        code: 'NO_REPLY',
        milliseconds: 70_000,
      },
      'shop      inv-1           SALE: unknown, NO_REPLY, 70000 ms',
    ],
    [
      "of the journal's intent",
      {
        ...shop,
        id: 13,
        type: 'intent',
        intentId: 'i',
        businessKey: 'invoice 77',
        attempt: 1,
        operation: 'SALE',
        clientOrderId: 'inv-1',
        state: 'FINAL',
        intentVersion: 4,
        status: 'approved',
      },
      'journal   inv-1           invoice 77, attempt 1: FINAL, approved',
    ],
    [
      'of a handler',
      {
        ...shop,
        id: 14,
        type: 'handler',
        what: 'failed',
        key: 'k',
        kind: 'outcome',
        clientOrderId: 'inv-1',
        status: 'approved',
        error: 'TypeError',
      },
      'handler   inv-1           outcome approved: failed, TypeError',
    ],
  ])('[F-C23] %s', ([, event, line]) => {
    expect(lines([event])).toEqual([`00:00:00  ${line}\n`])
    expect(EVENTS_HEAD.indexOf('DETAILS')).toBe(36)
  })
})

test('[F-C23] a refused request has its cause and the remedy below it, whole', () => {
  expect(lines([refused])).toEqual([
    `00:00:00  refused   inv-1           403 sale, error-code 4, 2 ms
          amount-in-units: sign amountInCents in minor units: 10.42 is signed as
          1042\n`,
  ])
  const { refusal: _, ...invalid } = refused as Extract<RecordedEvent, { type: 'reply' }>
  const reason = 'email (email) must be given.'
  expect(lines([{ ...invalid, httpStatus: 400, refusal: { reason, errorCode: '2' } }])).toEqual([
    `00:00:00  refused   inv-1           400 sale, error-code 2, 2 ms\n          ${reason}\n`,
  ])
})

test('[F-C23] the answer to a request that was refused is shown by the id that it came with', () => {
  const { clientOrderId: _, ...unread } = refused as Extract<RecordedEvent, { type: 'reply' }>
  expect(lines([request, unread])[1]).toMatch(/^00:00:00 {2}refused {3}inv-1 {11}403 sale, /)
})

test("[F-C23] an event that has the gateway's id alone is shown by the shop's", () => {
  const page: RecordedEvent = {
    ...of,
    id: 7,
    type: 'page',
    method: 'POST',
    page: '/form/{token}',
    orderId: ORDER,
    httpStatus: 303,
    milliseconds: 1,
  }
  expect(lines([reply, page])[1]).toBe('00:00:00  page      inv-1           POST /form/{token}: 303\n')
})

test('[F-C23] a file has whole lines, and a terminal colours', () => {
  expect(lines([reply], { width: Infinity, isColoured: false })).toEqual([
    `00:00:00  out       inv-1           200 sale, order ${ORDER}, 7 ms\n`,
  ])
  expect(lines([called], { ...NARROW, isColoured: true })).toEqual([
    '00:00:00  callback  inv-1           approved: 200, \u001B[32macknowledged\u001B[39m, try 1\n',
  ])
})

test('[F-C23] nothing of others steers the terminal, nor does an event of a newer gateway stop it', () => {
  const hostile = { ...request, form: 'client_orderid=inv%1B%5B31m%E2%80%AE' }
  expect(lines([hostile])[0]).toMatch(/^[\x20-\x7E…]*\n$/)
  expect(lines([hostile], { width: Infinity, isColoured: false })[0]).toContain('inv\\u{1b}[31m')
  const newer = { ...of, id: 15, type: 'moon', phase: 'full' } as unknown as RecordedEvent
  expect(lines([newer])[0]).toContain('  moon  ')
})
