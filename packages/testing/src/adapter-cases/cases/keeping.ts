import type { AdapterCase, CaseRequest } from '../adapter-case.ts'
import { byGet, byPost, FORGED, noticeOf, OK } from './orders.ts'

const AGAIN: readonly number[] = [503]

const twenty = Array.from({ length: 20 }, (_, index) => `inv-${index}`)

/** When a callback is stored, and what is answered. */
export const keeping: readonly AdapterCase[] = [
  {
    name: '[G6-05] the same callback again and again: each reaches the inbox and is acknowledged, one is stored',
    parser: 'none',
    requests: [byGet, byPost, byGet, byPost],
    seen: { statuses: [OK, OK, OK, OK], kept: ['a inv-a'], received: 4 },
  },
  {
    name: 'the same callback twenty times at once',
    parser: 'urlencoded',
    requests: twenty.map(() => byPost),
    together: true,
    seen: { statuses: twenty.map(() => OK), kept: ['a inv-a'], received: 20 },
  },
  {
    name: 'twenty orders at once, by GET',
    parser: 'none',
    requests: twenty.map((order) => ({ ...byGet, form: noticeOf(order) })),
    together: true,
    seen: { statuses: twenty.map(() => OK), kept: twenty.map((order) => `a ${order}`), received: 20 },
  },
  {
    name: 'twenty orders at once, by POST',
    parser: 'none',
    requests: twenty.map((order) => ({ ...byPost, form: noticeOf(order) })),
    together: true,
    seen: { statuses: twenty.map(() => OK), kept: twenty.map((order) => `a ${order}`), received: 20 },
  },
  {
    name: 'genuine and forged callbacks at once: nothing of one gets into another',
    parser: 'urlencoded',
    requests: twenty.map((order, index) => ({
      ...byPost,
      form: noticeOf(order),
      signed: index % 2 === 0 ? 'by-a' : 'wrong',
    })),
    together: true,
    seen: {
      statuses: twenty.map((_, index) => (index % 2 === 0 ? OK : FORGED)),
      kept: twenty.filter((_, index) => index % 2 === 0).map((order) => `a ${order}`),
    },
  },
  {
    name: 'a slow inbox: nothing is answered before it is done',
    parser: 'none',
    shop: 'slow',
    requests: [byPost],
    seen: { statuses: [OK], kept: ['a inv-a'], received: 1 },
  },
  {
    name: 'a slow inbox behind a parser',
    parser: 'urlencoded',
    shop: 'slow',
    requests: [byGet],
    seen: { statuses: [OK], kept: ['a inv-a'], received: 1 },
  },
  {
    name: 'an inbox that is down: 503 through the error handler of the app, so that the gateway calls again',
    parser: 'none',
    shop: 'down',
    requests: [byGet, byPost],
    seen: { statuses: [AGAIN, AGAIN], kept: [], errors: [503, 503] },
  },
  {
    name: 'an inbox that was down for the first call, behind a parser',
    parser: 'urlencoded',
    shop: 'down-at-first',
    requests: [byPost, byPost],
    seen: { statuses: [AGAIN, OK], kept: ['a inv-a'], errors: [503] },
  },
  {
    name: 'a forged callback while the inbox is down',
    parser: 'none',
    shop: 'down',
    requests: [{ ...byPost, signed: 'wrong' }],
    seen: { statuses: [FORGED], kept: [], received: 0, errors: [] },
  },
  {
    name: 'an inbox that is full of unknown orders',
    parser: 'none',
    shop: 'full',
    requests: [byGet, byPost],
    seen: { statuses: [AGAIN, AGAIN], kept: [], received: 2, errors: [] },
  },
  {
    name: 'a failure between the commit and the answer: the gateway calls again, and one callback is stored',
    parser: 'none',
    shop: 'breaks-after-commit',
    requests: [byPost, byPost],
    seen: { statuses: [AGAIN, OK], kept: ['a inv-a'], received: 2, errors: [503] },
  },
  {
    name: 'a failure between the commit and the answer, and a restart of the app',
    parser: 'urlencoded',
    shop: 'breaks-after-commit',
    requests: [byPost, byGet],
    restarts: true,
    seen: { statuses: [AGAIN, OK], kept: ['a inv-a'], received: 2, errors: [503] },
  },
  {
    name: 'a restart between the acknowledgement and the handler: no second callback is stored',
    parser: 'none',
    requests: [byGet, byPost],
    restarts: true,
    seen: { statuses: [OK, OK], kept: ['a inv-a'], received: 2, errors: [] },
  },
  {
    name: 'an unknown order: the write of the shop may be a moment behind',
    parser: 'none',
    requests: [{ ...byGet, form: noticeOf('never-heard-of') }],
    seen: { statuses: [OK], kept: ['a never-heard-of'] },
  },
  {
    name: 'a sender that breaks off within the body, and one that does not',
    parser: 'none',
    requests: [
      { ...byPost, sent: 'cut-short' },
      { ...byPost, form: noticeOf('inv-b') },
    ],
    seen: { statuses: [[0], OK], kept: ['a inv-b'], received: 1 },
  },
  {
    name: 'a sender that breaks off within the body, behind a parser',
    parser: 'urlencoded',
    requests: [
      { ...byPost, sent: 'cut-short' },
      { ...byPost, form: noticeOf('inv-b') },
    ],
    seen: { statuses: [[0], OK], kept: ['a inv-b'], received: 1 },
  },
  ...withoutJournal(),
]

/** A status check confirms outcomes, and the handler is called at least once. */
function withoutJournal(): readonly AdapterCase[] {
  const requests: readonly CaseRequest[] = [byGet, byPost]
  return [
    {
      name: '[G6-09] without a journal: the status is checked, the handler is called once, then the callback is acknowledged',
      parser: 'none',
      shop: { status: 'declined' },
      requests,
      seen: { statuses: [OK, OK], kept: ['a inv-a'], received: 1, errors: [] },
    },
    {
      name: 'without a journal: for an order that is not final, the gateway calls again',
      parser: 'urlencoded',
      shop: { status: 'processing' },
      requests,
      seen: { statuses: [AGAIN, AGAIN], kept: [], received: 0 },
    },
    {
      name: 'without a journal: after a failed handler, the gateway calls again',
      parser: 'none',
      shop: { status: 'approved', handler: 'fails-at-first' },
      requests,
      seen: { statuses: [AGAIN, OK], kept: ['a inv-a'], received: 2, errors: [503] },
    },
    {
      name: 'without a journal: a slow handler, and nothing is answered before it is done',
      parser: 'none',
      shop: { status: 'approved', handler: 'slow' },
      requests: [byPost],
      seen: { statuses: [OK], kept: ['a inv-a'], received: 1, errors: [] },
    },
    {
      name: 'without a journal: a slow handler behind a parser',
      parser: 'urlencoded',
      shop: { status: 'declined', handler: 'slow' },
      requests: [byPost],
      seen: { statuses: [OK], kept: ['a inv-a'], received: 1, errors: [] },
    },
    {
      name: 'without a journal: a failure between the commit of the handler and the answer: the handler is called again',
      parser: 'none',
      shop: { status: 'approved', handler: 'breaks-after-commit' },
      requests,
      seen: { statuses: [AGAIN, OK], kept: ['a inv-a'], received: 2, errors: [503] },
    },
    {
      name: 'without a journal: a failure between the commit of the handler and the answer, and a restart of the app',
      parser: 'urlencoded',
      shop: { status: 'approved', handler: 'breaks-after-commit' },
      requests: [byPost, byGet],
      restarts: true,
      seen: { statuses: [AGAIN, OK], kept: ['a inv-a'], received: 2, errors: [503] },
    },
    {
      name: 'without a journal: a forged callback causes no status check',
      parser: 'none',
      shop: { status: 'approved' },
      requests: [{ ...byPost, signed: 'wrong' }],
      seen: { statuses: [FORGED], kept: [], received: 0 },
    },
    {
      name: '[G6-10] without a journal: the browser returns, and the status says what to show',
      parser: 'urlencoded',
      shop: { status: 'declined' },
      requests: [{ ...byPost, to: 'return' }],
      seen: { statuses: [[303]], headers: { location: '/orders/declined/gr%C3%B6%C3%9Fe?from=127.0.0.1' } },
    },
  ]
}
