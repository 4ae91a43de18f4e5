import type { Pair } from '@tallystick/core'
import type { AdapterCase } from '../adapter-case.ts'
import type { AdapterParser } from '../mount-adapter.ts'
import { byGet, byPost, FORGED, MALFORMED, noticeOf, OK } from './orders.ts'

/** A framework or a parser may refuse what the adapter would have accepted. */
const TAKEN_OR_REFUSED: readonly number[] = [200, 400, 415]

const TOO_LARGE: readonly number[] = [400, 413]
const REFUSED: readonly number[] = [400, 415]
/** How a parser reads such a text is up to the parser, as long as no callback is answered with 200 and lost. */
const LENIENT: readonly number[] = [200, 400]

/** Callbacks in different encodings, and malformed ones. */
export const forms: readonly AdapterCase[] = [
  ...bothWays('a form with texts of other languages', {
    requests: [{ ...byPost, form: [...noticeOf('inv-a'), ['card-holder-name', 'Jürgen Müller & Söhne + 李']] }],
    seen: { statuses: [OK], kept: ['a inv-a'] },
  }),
  ...bothWays('[G6-07] merchant_order alone', {
    requests: [{ ...byPost, form: noticeOf('inv-a').filter(([name]) => name !== 'client_orderid') }],
    seen: { statuses: [OK], kept: ['a inv-a'] },
  }),
  ...bothWays('two different names of one order', {
    requests: [{ ...byPost, form: replaced('merchant_order', 'inv-b') }],
    seen: { statuses: [MALFORMED], kept: [], received: 0 },
  }),
  ...bothWays('[G6-08] any type and any further field', {
    requests: [{ ...byPost, form: [...replaced('type', 'dispute'), ['new-field', 'x']] }],
    seen: { statuses: [OK], kept: ['a inv-a'] },
  }),
  ...bothWays('names that every object inherits', {
    requests: [{ ...byPost, suffix: '&__proto__=x&constructor=y&toString=z&hasOwnProperty=w' }],
    seen: { statuses: [LENIENT] },
  }),
  ...bothWays('an empty control', {
    requests: [{ ...byPost, form: [...noticeOf('inv-a'), ['control', '']], signed: 'nobody' }],
    seen: { statuses: [[400, 403]], kept: [], received: 0 },
  }),
  ...bothWays('a genuine control, then the same with another status, id or order', {
    requests: [
      byPost,
      ...[replaced('status', 'declined'), replaced('orderid', '1'), noticeOf('inv-b')].flatMap((form) => [
        { ...byPost, form, signedForm: noticeOf('inv-a') },
        { ...byGet, form, signedForm: noticeOf('inv-a') },
      ]),
    ],
    seen: { statuses: [OK, FORGED, FORGED, FORGED, FORGED, FORGED, FORGED], kept: ['a inv-a'], received: 1 },
  }),
  ...bothWays('a made-up control of the right length', {
    requests: [
      { ...byPost, form: [...noticeOf('inv-a'), ['control', 'f'.repeat(40)]], signed: 'nobody' },
      { ...byGet, form: [...noticeOf('inv-a'), ['control', 'é'.repeat(40)]], signed: 'nobody' },
    ],
    seen: { statuses: [FORGED, FORGED], kept: [], received: 0 },
  }),
  ...bothWays('percent escapes that are cut off or not UTF-8', {
    requests: [
      { ...byPost, suffix: '&name=%ZZ' },
      { ...byPost, suffix: '&name=%FC' },
      { ...byPost, suffix: '&name=%' },
    ],
    seen: { statuses: [LENIENT, LENIENT, LENIENT] },
  }),
  ...bothWays('raw characters beyond ASCII', {
    requests: [{ ...byPost, suffix: '&name=Jürgen' }],
    seen: { statuses: [LENIENT] },
  }),
  ...bothWays('more than a hundred fields', {
    requests: [{ ...byPost, form: [...noticeOf('inv-a'), ...many(100)] }],
    seen: { statuses: [MALFORMED], kept: [], received: 0 },
  }),
  ...bothWays('a body of 70 KiB, which most parsers accept', {
    requests: [{ ...byPost, suffix: `&name=${'x'.repeat(71_680)}` }],
    seen: { statuses: [TOO_LARGE], kept: [], received: 0 },
  }),
  ...bothWays('a body of 60 KiB', {
    requests: [{ ...byPost, suffix: `&name=${'x'.repeat(61_440)}` }],
    seen: { statuses: [OK], kept: ['a inv-a'] },
  }),
  ...bothWays('a body of 200 KiB, and a callback after it', {
    requests: [{ ...byPost, suffix: `&name=${'x'.repeat(204_800)}` }, byPost],
    seen: { statuses: [TOO_LARGE, OK], kept: ['a inv-a'], received: 1 },
  }),
  ...bothWays('a body of 4 MiB in pieces', {
    requests: [{ ...byPost, suffix: `&name=${'x'.repeat(4_194_304)}`, sent: 'in-pieces' }],
    seen: { statuses: [TOO_LARGE], kept: [], received: 0 },
  }),
  ...bothWays('an empty GET, and a malformed query', {
    requests: [
      { to: 'callback', method: 'GET' },
      { to: 'callback', method: 'GET', query: '?&&==&' },
      { to: 'callback', method: 'GET', query: 'status' },
    ],
    seen: { statuses: [MALFORMED, MALFORMED, MALFORMED], kept: [], received: 0 },
  }),
  ...bothWays('a query with an id that no parser can read', {
    requests: [{ ...byGet, suffix: '&type=%ZZ' }],
    seen: { statuses: [MALFORMED], kept: [], received: 0 },
  }),
  ...bothWays('a query with a label that no parser can read', {
    requests: [{ ...byGet, suffix: '&name=%ZZ' }],
    seen: { statuses: [OK], kept: ['a inv-a'] },
  }),
  ...bothWays('the fields of a POST in its query', {
    requests: [{ to: 'callback', method: 'POST', query: 'status=approved&orderid=1&client_orderid=inv-a&control=0' }],
    seen: { statuses: [MALFORMED], kept: [], received: 0 },
  }),
  ...bothWays('a query of the shop beside the form', {
    requests: [{ ...byPost, query: 'shop=7&shop=8&x[y]=z' }],
    seen: { statuses: [OK], kept: ['a inv-a'] },
  }),
  ...bothWays('a form in several charsets', {
    requests: [
      { ...byPost, headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' } },
      { ...byPost, headers: { 'content-type': 'Application/X-WWW-Form-URLEncoded;charset="UTF-8"' } },
      { ...byPost, headers: { 'content-type': 'application/x-www-form-urlencoded; charset=koi8-r' } },
    ],
    seen: { statuses: [OK, OK, TAKEN_OR_REFUSED], kept: ['a inv-a'] },
  }),
  ...bothWays('a form that is labelled as text, as nothing or as nonsense', {
    requests: [
      { ...byPost, written: 'text' },
      { ...byPost, headers: { 'content-type': '' } },
      { ...byPost, headers: { 'content-type': 'nonsense' } },
    ],
    seen: { statuses: [TAKEN_OR_REFUSED, TAKEN_OR_REFUSED, TAKEN_OR_REFUSED] },
  }),
  ...bothWays('a form with gzip', {
    requests: [{ ...byPost, written: 'gzip', headers: { 'content-encoding': 'gzip' } }],
    seen: { statuses: [TAKEN_OR_REFUSED] },
  }),
  ...bothWays('a form that is labelled as gzip and is not, or has an unknown encoding', {
    requests: [
      { ...byPost, headers: { 'content-encoding': 'gzip' } },
      { ...byPost, headers: { 'content-encoding': 'x-unheard' } },
    ],
    seen: { statuses: [TAKEN_OR_REFUSED, TAKEN_OR_REFUSED] },
  }),
  ...bothWays('a form as multipart', {
    requests: [{ ...byPost, written: 'multipart' }],
    seen: { statuses: [REFUSED], kept: [], received: 0 },
  }),
  {
    name: 'JSON without a parser for it',
    parser: 'none',
    requests: [{ ...byPost, written: 'json' }],
    seen: { statuses: [REFUSED], kept: [], received: 0 },
  },
  {
    name: 'JSON behind a parser: its fields are signed like those of a form',
    parser: 'json',
    requests: [{ ...byPost, written: 'json' }],
    seen: { statuses: [OK], kept: ['a inv-a'] },
  },
  {
    name: 'JSON with an id that is a number, a list or an object',
    parser: 'json',
    requests: ['1', '["inv-a"]', '{"a":"inv-a"}', 'null', 'true'].map((id) => ({
      ...asJson(`{"status":"approved","orderid":"1","client_orderid":${id},"control":"${'0'.repeat(40)}"}`),
    })),
    seen: { statuses: Array.from({ length: 5 }, () => MALFORMED), kept: [], received: 0 },
  },
  {
    name: 'malformed JSON, a list, a text or nothing',
    parser: 'json',
    requests: ['{"status":', '[{"status":"approved"}]', '"status"', 'null', ''].map(asJson),
    seen: { statuses: Array.from({ length: 5 }, () => MALFORMED), kept: [], received: 0 },
  },
]

type Way = Pick<AdapterCase, 'requests' | 'seen'>

/** The case without a parser, so that the adapter reads the body itself, and behind the parser that most apps have. */
function bothWays(name: string, way: Way): readonly AdapterCase[] {
  const parsers: readonly AdapterParser[] = ['none', 'urlencoded']
  return parsers.map((parser) => ({ name: `${name}, behind ${parser}`, parser, ...way }))
}

function replaced(name: string, value: string): readonly Pair[] {
  return noticeOf('inv-a').map(([other, old]) => [other, other === name ? value : old])
}

function many(count: number): readonly Pair[] {
  return Array.from({ length: count }, (_, index) => [`x${index}`, '1'])
}

function asJson(body: string) {
  const headers = { 'content-type': 'application/json' }
  return { to: 'callback', method: 'POST', body, headers } as const
}
