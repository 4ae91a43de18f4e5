import assert from 'node:assert/strict'
import { createHash, hash } from 'node:crypto'
import { signControl, verifyControl } from '../../packages/signing/src/index.ts'
import { timeEach } from './ratio.ts'
import { printTable } from './table.ts'

/** Measures the control of a sale, from fields to hexadecimal digits, against a bare hash of the ready text (82 bytes). */

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
