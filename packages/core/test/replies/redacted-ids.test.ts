import { catalogue, type OperationKey, operationKeys, readReply } from '@tallystick/core'
import { STATUSES } from '@tallystick/core/internal'
import { describe, expect, test } from 'vitest'

/** What a gateway may write instead of an id: the request that it received. */
const FORM = 'credit_card_number=4444555566661111&cvv2=7391&control=f493a1b2'

/** The parts of a reply that readers store and log. */
const KEPT = [
  'serialNumber',
  'orderId',
  'endpointId',
  'redirectUrl',
  'redirectTo',
  'cardRefId',
  'uniqueCardRefId',
  'recurringPaymentId',
  'destinationCardRefId',
  'destinationRecurringPaymentId',
  'receiptId',
  'byRequestSn',
  'status',
  'transactionType',
  'orderStage',
  'currency',
]

/** A reply with this text in every field. */
function read(key: OperationKey, text: string): Readonly<Record<string, unknown>> {
  const fields = Object.values(catalogue[key].reply.fields).map(({ wireName }) => [wireName, text])
  const reply = readReply(key, JSON.stringify({ ...Object.fromEntries(fields), type: 'some-response' }))
  return reply.kind === 'success' ? reply.reply : {}
}

describe.each(operationKeys)('The reply to %s', (key) => {
  test('leaves no card data and no control in an id, a status or an address', () => {
    const reply = read(key, FORM)
    const kept = KEPT.filter((name) => name in reply)
    expect(kept).toContain('serialNumber')
    expect(kept.map((name) => reply[name])).toEqual(
      kept.map(() => 'credit_card_number=444455******1111&cvv2=***&control=***'),
    )
  })

  test('keeps ids as they are', () => {
    for (const id of ['00000000-0000-0000-0000-000002d9b22a', '123456789012347', 'a/b+c==']) {
      expect(read(key, id)['serialNumber']).toBe(id)
    }
  })
})

test.each(STATUSES)('the status %s stays', (status) => expect(read('status', status)['status']).toBe(status))

test('a text that is no id is cut', () => {
  expect(read('sale', `${'a '.repeat(100)}`)['serialNumber']).toHaveLength(128)
})

test.each([
  'https://gate.example.com/paynet/form/4444555566661111?x=1&token=123456789012347#a',
  'https://gate.example.com/a?order=4444555566661111',
])('an address that quotes no request stays as it is: %s', (address) => {
  expect(read('saleForm', address)['redirectUrl']).toBe(address)
})
