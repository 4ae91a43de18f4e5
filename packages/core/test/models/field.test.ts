import { expect, test } from 'vitest'
import { field, filledIn, optional, spellingsOf } from '../../src/models/field.ts'
import { text } from '../../src/models/formats.ts'

const origin = filledIn('13')
const fields = {
  status: optional(field('status', text(9), origin, 'The status.')),
  clientOrderId: optional(field('client_orderid', text(9), origin, 'The id.', ['client-order-id', 'order-no'])),
  purpose: optional(field('purpose', text(9), origin, 'What for.')),
}

/** Fresh each time: what is worked out once is worked out in each test. */
const newSpelling = () => spellingsOf('Example', () => fields)

test('fields are sent in the order of the model, and read by their aliases too', () => {
  const { sent, inOrder, read } = newSpelling()()
  expect(sent).toEqual([
    ['status', 'status'],
    ['clientOrderId', 'client_orderid'],
    ['purpose', 'purpose'],
  ])
  expect(inOrder).toEqual(sent)
  expect(Object.fromEntries(read)).toEqual({
    status: 'status',
    client_orderid: 'clientOrderId',
    'client-order-id': 'clientOrderId',
    'order-no': 'clientOrderId',
    purpose: 'purpose',
  })
})

test('a profile respells the fields of its model, and of no other', () => {
  const respelled = newSpelling()({ Example: { status: 'order-status' }, Other: { purpose: 'why' } })
  expect(respelled.sent.map(([, wireName]) => wireName)).toEqual(['order-status', 'client_orderid', 'purpose'])
  expect(respelled.read.get('order-status')).toBe('status')
  expect(respelled.read.has('status')).toBe(false)
  expect(newSpelling()({ Other: { status: 'x' } }).read.get('status')).toBe('status')
})

test('a spelling that a profile gives to two fields is read as the later one, even if it was an alias', () => {
  const { sent, inOrder, read } = newSpelling()({ Example: { status: 'order-no', purpose: 'order-no' } })
  expect(sent.map(([, wireName]) => wireName)).toEqual(['order-no', 'client_orderid', 'order-no'])
  expect(read.get('order-no')).toBe('purpose')
  expect(inOrder).toEqual([
    ['clientOrderId', 'client_orderid'],
    ['purpose', 'order-no'],
  ])
})

test('it is made once for a profile', () => {
  const spelling = newSpelling()
  const [one, other] = [{ Example: { status: 'a' } }, { Example: { status: 'b' } }]
  expect(spelling(one)).toBe(spelling(one))
  expect(spelling()).toBe(spelling())
  expect(spelling(other).sent[0]).toEqual(['status', 'b'])
  expect(spelling(one).sent[0]).toEqual(['status', 'a'])
})
