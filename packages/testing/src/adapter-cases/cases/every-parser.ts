import type { Pair } from '@tallystick/core'
import type { AdapterCase } from '../adapter-case.ts'
import { ADAPTER_PARSERS, type AdapterParser } from '../mount-adapter.ts'
import { byGet, byPost, FORGED, MALFORMED, noticeOf, OK } from './orders.ts'

const sale: readonly Pair[] = [
  ['client_orderid', 'inv-a'],
  ['order_desc', 'Tee & Gebäck + 5 %'],
  ['amount', '10.42'],
  ['empty', ''],
]

/** Cases that must not depend on which parser has read the body. */
export const everyParser: readonly AdapterCase[] = ADAPTER_PARSERS.flatMap(casesBehind)

function casesBehind(parser: AdapterParser): readonly AdapterCase[] {
  return [
    {
      name: `[G6-01] [G6-03] a callback by GET, behind ${parser}`,
      parser,
      requests: [byGet],
      seen: { statuses: [OK], kept: ['a inv-a'], received: 1, errors: [] },
    },
    {
      name: `[G6-01] [G6-03] a callback by POST, behind ${parser}`,
      parser,
      requests: [byPost],
      seen: { statuses: [OK], kept: ['a inv-a'], received: 1, errors: [] },
    },
    {
      name: `a callback that comes in pieces and without a length, behind ${parser}`,
      parser,
      requests: [{ ...byPost, sent: 'in-pieces' }],
      seen: { statuses: [OK], kept: ['a inv-a'] },
    },
    {
      name: `a forged callback, one without a control and an empty one, behind ${parser}`,
      parser,
      requests: [
        { ...byPost, signed: 'wrong' },
        { ...byPost, signed: 'nobody' },
        { ...byPost, form: [], signed: 'nobody' },
      ],
      seen: { statuses: [FORGED, MALFORMED, MALFORMED], kept: [], received: 0 },
    },
    {
      name: `a name that comes twice, behind ${parser}`,
      parser,
      requests: [
        { ...byPost, suffix: '&client_orderid=inv-a' },
        { ...byPost, suffix: '&control=0' },
        { ...byGet, suffix: '&status=approved' },
      ],
      seen: { statuses: [MALFORMED, MALFORMED, MALFORMED], kept: [], received: 0 },
    },
    {
      name: `names with brackets instead of the ids, behind ${parser}`,
      parser,
      requests: [
        { ...byPost, form: bracketed('client_orderid[]') },
        { ...byPost, form: bracketed('client_orderid[id]') },
        { ...byGet, form: bracketed('client_orderid[]') },
      ],
      seen: { statuses: [MALFORMED, MALFORMED, MALFORMED], kept: [], received: 0 },
    },
    {
      name: `[G6-10] the browser returns by POST, behind ${parser}`,
      parser,
      requests: [{ ...byPost, to: 'return' }],
      seen: { statuses: [[303]], headers: { location: '/orders/pending-a/gr%C3%B6%C3%9Fe?from=127.0.0.1' }, body: '' },
    },
    {
      name: `the browser returns from 3-D Secure by POST, behind ${parser}`,
      parser,
      requests: [{ ...byPost, to: '3ds' }],
      seen: { statuses: [OK], body: '<p>Größe 123456789012345 approved</p>' },
    },
    {
      name: `a request to the gateway arrives field by field, behind ${parser}`,
      parser,
      requests: [{ to: 'gateway', method: 'POST', form: sale, query: 'trace=1%202' }],
      seen: { statuses: [OK], gateway: { url: '/paynet/api/v2/sale/253?trace=1%202', form: sale }, body: '{}' },
    },
  ]
}

function bracketed(name: string): readonly Pair[] {
  const named = noticeOf('inv-a').filter(([other]) => other !== 'merchant_order')
  return named.map(([other, value]) => [other === 'client_orderid' ? name : other, value])
}
