import { decodeRequest, defineProfile, type OperationKey } from '@tallystick/core'
import { describe, expect, test } from 'vitest'
import { requestDigest } from '../../src/requests/idempotency.ts'
import { SALE } from '../support/signed-requests.ts'

type Fields = Readonly<Record<string, string>>

const PROFILE = defineProfile({ baseUrl: 'https://gate.example.com/paynet' })

/** The text of which a request's digest is made. Its fields are sent in this order. */
function digestOf(fields: Fields, address = '/api/v2/sale/1111', key: OperationKey = 'sale'): string {
  const decoded = decodeRequest(key, Object.entries(fields), PROFILE)
  if (!decoded.ok) throw new Error(decoded.issues.map(({ wireName, problem }) => `${wireName} ${problem}`).join())
  return requestDigest(address, key, decoded.value)
}

const PAYOUT = { client_orderid: 'out-1', amount: '1.00', currency: 'EUR', account_number: '4081781' }
const CVV_NAMES = [
  'cvv2',
  'CVV',
  'cvc',
  'cvc2',
  'cvn',
  'cvd',
  'cid',
  'csc',
  'cv2',
  'card_cvv',
  'card-cvc2',
  'cardCsc',
  'cvv_code',
].concat('cvvNumber', 'security_code', 'cardSecurityCode', 'card-verification-value', 'destination[cvv2]')
const EXTRA = { ...SALE, shelf: '12', aisle: 'b' }

describe('[G13-10] a request is known again', () => {
  test('however its fields are ordered, including those that no model has', () => {
    const backwards = Object.fromEntries(Object.entries(EXTRA).reverse())
    expect(digestOf(backwards)).toBe(digestOf(EXTRA))
  })

  test('[F-A10] with a field that no model has, and that is blank', () => {
    expect(digestOf({ ...EXTRA, shelf_mark: ' ' })).toBe(digestOf(EXTRA))
  })

  test('[F-A10] with a query at its address, as a proxy adds one', () => {
    for (const query of ['?', '?trace=1']) expect(digestOf(SALE, `/api/v2/sale/1111${query}`)).toBe(digestOf(SALE))
  })

  test('with another CVV', () => {
    expect(digestOf({ ...SALE, cvv2: '321' })).toBe(digestOf(SALE))
  })

  test.for(CVV_NAMES)('with another CVV that its model does not have, by the name %s', (name) => {
    expect(digestOf({ ...SALE, [name]: '321' })).toBe(digestOf(SALE))
    expect(digestOf({ ...PAYOUT, [name]: '321' }, '/api/v2/payout/1111', 'payout')).toBe(
      digestOf({ ...PAYOUT, [name]: '123' }, '/api/v2/payout/1111', 'payout'),
    )
  })

  test('by a version whose model has more optional fields: what was not sent does not count', () => {
    expect(digestOf(SALE)).not.toContain('birthday')
  })

  test.for([
    ['amount', { amount: '10.43' }],
    ['currency', { currency: 'USD' }],
    ['card', { credit_card_number: '5555555555554444' }],
    ['expiry', { expire_year: '2035' }],
    ['callback address', { server_callback_url: 'https://shop.example.com/other' }],
    ['field that no model has', { shelf: '13' }],
    ['field whose name is like that of a CVV', { acid: '1' }],
  ] as const)('and not with another %s', ([, change]) => {
    expect(digestOf({ ...EXTRA, ...change })).not.toBe(digestOf(EXTRA))
  })

  test('but not if a text is in another field, or at another address', () => {
    const named = digestOf({ ...SALE, first_name: 'Kim' })
    expect(digestOf({ ...SALE, last_name: 'Kim' })).not.toBe(named)
    expect(digestOf(SALE, '/api/v2/sale/group/1111')).not.toBe(digestOf(SALE))
  })
})
