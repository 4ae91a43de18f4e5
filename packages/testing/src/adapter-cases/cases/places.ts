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

/** Where routes are, who comes to them and by what. */
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
    name: 'two shops: each hears its own callbacks',
    parser: 'none',
    requests: [byPost, { ...byPost, shop: 'b', signed: 'by-b', form: noticeOf('inv-b') }, byGet],
    seen: { statuses: [OK, OK, OK], kept: ['a inv-a', 'b inv-b'], received: 3 },
  },
  {
    name: 'two shops: the key of one opens nothing of the other, and nobody else is asked',
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
    name: 'two shops: the browser comes back to its own',
    parser: 'none',
    requests: [{ ...byPost, to: 'return', shop: 'b' }],
    seen: { statuses: [[303]], headers: { location: '/orders/pending-b/gr%C3%B6%C3%9Fe?from=127.0.0.1' } },
  },
  {
    name: 'the headers of proxies change nothing of a callback',
    parser: 'none',
    trustProxy: true,
    requests: [
      { ...byGet, headers: PROXY },
      { ...byPost, headers: PROXY },
    ],
    seen: { statuses: [OK, OK], kept: ['a inv-a'], received: 2 },
  },
  {
    name: 'behind a proxy that is trusted, the customer has the address that it tells',
    parser: 'urlencoded',
    trustProxy: true,
    requests: [{ ...byPost, to: 'return', headers: PROXY }],
    seen: { statuses: [[303]], headers: { location: '/orders/pending-a/gr%C3%B6%C3%9Fe?from=203.0.113.7' } },
  },
  {
    name: 'what anybody says of addresses is not believed',
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
    name: 'another method says which there are',
    parser: 'urlencoded',
    requests: [{ ...byPost, method: 'PUT' }],
    seen: { statuses: [[405]], headers: { allow: 'GET, POST' }, kept: [], received: 0 },
  },
  {
    name: 'a callback with conditions is answered whole: 304 acknowledges nothing',
    parser: 'none',
    requests: [
      { ...byGet, headers: { 'if-none-match': '*', 'if-modified-since': 'Sat, 01 Jan 2039 00:00:00 GMT' } },
      { ...byGet, headers: { range: 'bytes=0-0', accept: 'application/json', 'accept-encoding': 'gzip, br' } },
      { ...byPost, headers: { expect: '100-continue', accept: 'image/png' } },
    ],
    seen: { statuses: [OK, OK, OK], kept: ['a inv-a'], body: 'OK' },
  },
  {
    name: 'a browser from another origin comes back: no cookie, no origin',
    parser: 'json-and-urlencoded',
    requests: [{ ...byPost, to: 'return', headers: { origin: 'null', 'sec-fetch-site': 'cross-site' } }],
    seen: { statuses: [[303]], headers: { 'cache-control': 'no-store' } },
  },
  {
    name: 'a browser that comes back with nothing, by GET or by POST, is shown a page',
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
    name: 'a browser that comes back while the journal is down',
    parser: 'urlencoded',
    shop: 'down',
    requests: [{ ...byPost, to: 'return' }],
    seen: { statuses: [[503]], errors: [503] },
  },
  {
    name: 'what comes to the return of 3-D Secure and is none, or forged',
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
    name: 'a page of the shop arrives as it is, with its headers',
    parser: 'none',
    requests: [{ ...byGet, to: '3ds' }],
    seen: {
      statuses: [OK],
      headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': "default-src 'none'" },
      body: '<p>Größe 123456789012345 approved</p>',
    },
  },
]
