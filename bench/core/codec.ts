import assert from 'node:assert/strict'
import { parse, safeParse } from 'zod/v4/core'
import {
  catalogue,
  decodeRequest,
  defineProfile,
  encodeRequest,
  parseForm,
  parseRequest,
  serializeForm,
} from '../../packages/core/src/index.ts'
import { schemaOf } from '../../packages/core/src/models/model.ts'
import { printTable } from '../signing/table.ts'
import { sale, saleForm } from './sale.ts'
import { leastTimes } from './timing.ts'

/**
 * Measures a sale with 30 fields to its form and back, with validation, against a parse of the same object by a plain zod schema
 * with the same checks.
 */

const profile = defineProfile({ baseUrl: 'https://gate.example.com/paynet' })
const plain = schemaOf(catalogue.sale.request.fields)

function encode(): string {
  const parsed = parseRequest('sale', sale, profile)
  if (!parsed.ok) throw new Error('the sale does not fit its model')
  return serializeForm(encodeRequest('sale', parsed.value, profile))
}

function decode() {
  return decodeRequest('sale', parseForm(saleForm), profile)
}

const decoded = decode()
assert.equal(encode(), saleForm)
assert.deepEqual(decoded, parseRequest('sale', sale, profile))
assert.ok(decoded.ok)
assert.deepEqual({ extra: {}, ...parse(plain, sale) }, { ...decoded.value })
assert.equal(Object.keys(sale).length, 30)

const times = leastTimes({
  zod: () => safeParse(plain, sale),
  encode,
  decode,
})
printTable('Codec, a sale with 30 fields, against zod alone', [
  { what: "zod's safeParse of the same object", figure: times.zod, unit: 'us' },
  {
    what: 'parseRequest, encodeRequest, serializeForm',
    figure: times.encode / times.zod,
    unit: 'times',
    goal: 'at most 1.5',
  },
  { what: 'parseForm, decodeRequest', figure: times.decode / times.zod, unit: 'times', goal: 'at most 1.5' },
])
