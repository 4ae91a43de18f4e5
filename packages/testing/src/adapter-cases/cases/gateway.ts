import type { AdapterCase, CaseRequest } from '../adapter-case.ts'
import { OK } from './orders.ts'

const call: CaseRequest = { to: 'gateway', method: 'POST', form: [['client_orderid', 'inv-a']] }
const url = '/paynet/api/v2/sale/253'

/** A gateway inside the app. */
export const gateway: readonly AdapterCase[] = [
  {
    name: 'a header that the gateway gets twice stays two',
    parser: 'none',
    requests: [{ ...call, headers: { authorization: ['OAuth a', 'OAuth b'], accept: ['a/b', 'c/d'] } }],
    seen: {
      statuses: [OK],
      gateway: { url, headers: { authorization: ['OAuth a', 'OAuth b'], accept: ['a/b', 'c/d'] } },
    },
  },
  {
    name: 'a field that the gateway gets twice stays two, behind a parser',
    parser: 'urlencoded',
    requests: [{ ...call, suffix: '&amount=1&amount=2' }],
    seen: {
      statuses: [OK],
      gateway: {
        url,
        form: [
          ['client_orderid', 'inv-a'],
          ['amount', '1'],
          ['amount', '2'],
        ],
      },
    },
  },
  {
    name: 'a body that is too large reaches the gateway, which refuses it in its own words',
    parser: 'none',
    requests: [{ ...call, suffix: `&x=${'x'.repeat(200_000)}` }],
    seen: { statuses: [OK], gateway: { url, longerThan: 65_536 } },
  },
  {
    name: 'an answer of the gateway arrives unchanged, even a refusal',
    parser: 'none',
    reply: {
      status: 403,
      headers: { 'content-type': 'application/vnd.pay+json', 'retry-after': '7' },
      body: '{"error-message":"größer"}',
    },
    requests: [call],
    seen: {
      statuses: [[403]],
      headers: { 'content-type': 'application/vnd.pay+json', 'retry-after': '7', 'content-length': '28' },
      body: '{"error-message":"größer"}',
    },
  },
  {
    name: 'an answer of the gateway has no body for HEAD, and its own status for a conditional request',
    parser: 'none',
    reply: { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body: '<p>Größe</p>' },
    requests: [
      { to: 'gateway', method: 'HEAD' },
      { to: 'gateway', method: 'GET', headers: { 'if-none-match': '*' } },
    ],
    seen: { statuses: [OK, OK], body: '<p>Größe</p>' },
  },
  ...(['none', 'urlencoded'] as const).flatMap((parser): readonly AdapterCase[] => [
    {
      name: `a fault on demand: the connection is cut before the reply, behind ${parser}`,
      parser,
      reply: { status: 0, headers: {}, body: '', cut: 'before-reply' },
      requests: [call],
      seen: { statuses: [[0]] },
    },
    {
      name: `a fault on demand: the connection is cut within the body, behind ${parser}`,
      parser,
      reply: { status: 200, headers: { 'content-type': 'text/html' }, body: 'type=async-resp', cut: 'within-body' },
      requests: [call],
      seen: { statuses: [['cut']], body: 'type=async-resp' },
    },
  ]),
]
