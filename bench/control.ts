/**
 * Measures what is made of a sale's fields: its control, against a bare hash of the ready text (82 bytes); its form and back,
 * with validation, against a parse of the same object by a plain zod schema with the same checks.
 *
 *     node --conditions=@tallystick/source bench/control.ts [control] [form]
 */
import assert from 'node:assert/strict'
import { createHash, hash } from 'node:crypto'
import {
  catalogue,
  decodeRequest,
  defineProfile,
  encodeRequest,
  parseForm,
  parseRequest,
  serializeForm,
} from '@tallystick/core'
import { signControl, verifyControl } from '@tallystick/signing'
import { saleInput, serverToServer } from '@tallystick/testing'
import { parse, safeParse } from 'zod/v4/core'
import { LONG, measure, printTable, timeEach } from './kit/measure.ts'

function control(): void {
  const key = 'B17F59B4-A7DC-41B4-8FF9-37D986B43D20'
  const fields = { endpointId: '22960', orderId: 'invoice-2023-000481x', amount: '1042', email: 'john.smith@gmail.com' }
  const ready = `22960invoice-2023-000481x1042john.smith@gmail.com${key}`
  const control = createHash('sha1').update(ready).digest('hex')

  const terms = () => [fields.endpointId, fields.orderId, fields.amount, fields.email]
  assert.equal(signControl({ terms: terms(), key }), control)
  assert.equal(verifyControl({ terms: terms(), key, control }).ok, true)

  const times = timeEach({
    bare: () => hash('sha1', ready, 'hex'),
    sign: () => signControl({ terms: terms(), key }),
    verify: () => verifyControl({ terms: terms(), key, control }),
  })
  printTable('Control, against a bare crypto.hash of the ready text', [
    { what: 'bare crypto.hash', figure: times.bare, unit: 'us' },
    { what: 'signControl', figure: times.sign / times.bare, unit: 'times', goal: 'at most 1.35' },
    { what: 'verifyControl', figure: times.verify / times.bare, unit: 'times' },
  ])
}

function form(): void {
  const profile = defineProfile({ baseUrl: 'https://gate.example.com/paynet' })
  const plain = catalogue.sale.request.schema
  const encode = () => {
    const parsed = parseRequest('sale', SALE, profile)
    if (!parsed.ok) throw new Error('the sale does not fit its model')
    return serializeForm(encodeRequest('sale', parsed.value, profile))
  }
  const sent = encode()
  const decode = () => decodeRequest('sale', parseForm(sent), profile)

  const decoded = decode()
  assert.equal(new URLSearchParams(sent).size, 30)
  assert.deepEqual(decoded, parseRequest('sale', SALE, profile))
  assert.ok(decoded.ok)
  assert.deepEqual({ extra: {}, ...parse(plain, SALE) }, { ...decoded.value })
  assert.equal(Object.keys(SALE).length, 30)

  const times = timeEach({ zod: () => safeParse(plain, SALE), encode, decode }, LONG)
  printTable('A sale with 30 fields, against zod alone', [
    { what: "zod's safeParse of the same object", figure: times.zod, unit: 'us' },
    {
      what: 'parseRequest, encodeRequest, serializeForm',
      figure: times.encode / times.zod,
      unit: 'times',
      goal: 'at most 1.5',
    },
    { what: 'parseForm, decodeRequest', figure: times.decode / times.zod, unit: 'times', goal: 'at most 1.5' },
  ])
}

/** A sale with 30 fields. */
const SALE = saleInput(serverToServer)

await measure({ control, form })
