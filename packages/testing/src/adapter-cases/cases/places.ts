import type { AdapterCase } from '../adapter-case.ts'
import { byGet, byPost, FORGED, noticeOf, OK } from './orders.ts'

const PROXY = {
  'x-forwarded-for': '203.0.113.7',
  'x-forwarded-host': 'elsewhere.example.com',
  'x-forwarded-proto': 'https',
  'x-forwarded-prefix': '/elsewhere',
  'x-original-url': '/b/callback?status=declined',
  'x-rewrite-url': '/b/callback',
  'x-http-method-override': 'PUT',
  forwarded: 'for=203.0.113.7;host=elsewhere.example.com',
}
const NO_METHOD = [405, 404]

/** Where the routes are, and who calls them with which methods and headers. */
export const places: readonly AdapterCase[] = [
  ...['/payments', '/shops/eu/v1.2', '/a-b_c~d'].map(
    (prefix): AdapterCase => ({
      name: `callbacks under the prefix ${prefix}`,
      parser: 'none',
      prefix,
      requests: [byGet, byPost, { ...byGet, query: 'x=1?2&y=/z' }],
      seen: { statuses: [OK, OK, OK], kept: ['a inv-a'], received: 3 },
    }),
  ),
  {
    name: 'the gateway and the browser under a prefix, behind a parser',
    parser: 'json-and-urlencoded',
    prefix: '/shops/eu',
    requests: [
      { to: 'gateway', method: 'GET', query: 'a=1?2' },
      { ...byPost, to: 'return' },
    ],
    seen: {
      statuses: [OK, [303]],
      gateway: { url: '/paynet/api/v2/sale/253?a=1?2' },
      headers: { location: '/orders/pending-a/gr%C3%B6%C3%9Fe?from=127.0.0.1' },
    },
  },
  {
    name: 'two shops: each gets its own callbacks',
    parser: 'none',
    requests: [byPost, { ...byPost, shop: 'b', signed: 'by-b', form: noticeOf('inv-b') }, byGet],
    seen: { statuses: [OK, OK, OK], kept: ['a inv-a', 'b inv-b'], received: 3 },
  },
  {
    name: 'two shops: the key of one is wrong for the other, and no other shop is asked',
    parser: 'urlencoded',
    requests: [
      { ...byPost, signed: 'by-b' },
      { ...byPost, shop: 'b' },
      { ...byGet, shop: 'b' },
    ],
    seen: { statuses: [FORGED, FORGED, FORGED], kept: [], received: 0, errors: [] },
  },
  {
    name: 'two shops with one order id, at once',
    parser: 'none',
    requests: [byPost, { ...byPost, shop: 'b', signed: 'by-b' }],
    together: true,
    seen: { statuses: [OK, OK], kept: ['a inv-a', 'b inv-a'], received: 2 },
  },
  {
    name: 'two shops: the browser returns to its own',
    parser: 'none',
    requests: [{ ...byPost, to: 'return', shop: 'b' }],
    seen: { statuses: [[303]], headers: { location: '/orders/pending-b/gr%C3%B6%C3%9Fe?from=127.0.0.1' } },
  },
  {
    name: 'proxy headers change nothing about a callback',
    parser: 'none',
    trustProxy: true,
    requests: [
      { ...byGet, headers: PROXY },
      { ...byPost, headers: PROXY },
    ],
    seen: { statuses: [OK, OK], kept: ['a inv-a'], received: 2 },
  },
  {
    name: 'behind a trusted proxy, the customer has the address that the proxy gives',
    parser: 'urlencoded',
    trustProxy: true,
    requests: [{ ...byPost, to: 'return', headers: PROXY }],
    seen: { statuses: [[303]], headers: { location: '/orders/pending-a/gr%C3%B6%C3%9Fe?from=203.0.113.7' } },
  },
  {
    name: 'without a trusted proxy, forwarded addresses are not believed',
    parser: 'urlencoded',
    trustProxy: false,
    requests: [{ ...byPost, to: 'return', headers: PROXY }],
    seen: { statuses: [[303]], headers: { location: '/orders/pending-a/gr%C3%B6%C3%9Fe?from=127.0.0.1' } },
  },
  {
    name: 'other methods',
    parser: 'none',
    requests: ['PUT', 'DELETE', 'PATCH', 'HEAD'].map((method) => ({ ...byPost, method })),
    seen: { statuses: [NO_METHOD, NO_METHOD, NO_METHOD, NO_METHOD], kept: [], received: 0 },
  },
  {
    name: 'the answer to another method names the allowed ones',
    parser: 'urlencoded',
    requests: [{ ...byPost, method: 'PUT' }],
    seen: { statuses: [[405]], headers: { allow: 'GET, POST' }, kept: [], received: 0 },
  },
  {
    name: 'a conditional callback gets a whole answer: 304 acknowledges nothing',
    parser: 'none',
    requests: [
      { ...byGet, headers: { 'if-none-match': '*', 'if-modified-since': 'Sat, 01 Jan 2039 00:00:00 GMT' } },
      { ...byGet, headers: { range: 'bytes=0-0', accept: 'application/json', 'accept-encoding': 'gzip, br' } },
      { ...byPost, headers: { expect: '100-continue', accept: 'image/png' } },
    ],
    seen: { statuses: [OK, OK, OK], kept: ['a inv-a'], body: 'OK' },
  },
  {
    name: 'a browser returns from another origin, without cookies and origin',
    parser: 'json-and-urlencoded',
    requests: [{ ...byPost, to: 'return', headers: { origin: 'null', 'sec-fetch-site': 'cross-site' } }],
    seen: { statuses: [[303]], headers: { 'cache-control': 'no-store' } },
  },
  {
    name: 'a browser that returns with nothing, by GET or by POST, is shown a page',
    parser: 'none',
    requests: [
      { to: 'return', method: 'GET' },
      { to: 'return', method: 'POST', form: [], suffix: '%ZZ' },
    ],
    seen: {
      statuses: [[303], [303]],
      headers: { location: '/orders/unknown-order/gr%C3%B6%C3%9Fe?from=127.0.0.1' },
    },
  },
  {
    name: 'a browser that returns while the journal is down',
    parser: 'urlencoded',
    shop: 'down',
    requests: [{ ...byPost, to: 'return' }],
    seen: { statuses: [[503]], errors: [503] },
  },
  {
    name: 'a malformed or forged return from 3-D Secure, and another method',
    parser: 'none',
    requests: [
      {
        to: '3ds',
        method: 'POST',
        form: [
          ['cres', 'x'],
          ['threeDSSessionData', 'y'],
        ],
      },
      { ...byPost, to: '3ds', signed: 'wrong' },
      { ...byPost, to: '3ds', method: 'PUT' },
    ],
    seen: { statuses: [[400], [403], [405]] },
  },
  {
    name: 'a page of the shop arrives unchanged, with its headers',
    parser: 'none',
    requests: [{ ...byGet, to: '3ds' }],
    seen: {
      statuses: [OK],
      headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': "default-src 'none'" },
      body: '<p>Größe 123456789012345 approved</p>',
    },
  },
]
