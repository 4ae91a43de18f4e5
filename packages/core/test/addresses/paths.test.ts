import { catalogue, defineProfile, type Endpoint, operationKeys, operationUrl } from '@tallystick/core'
import { endpointAddress, isEndpointId, matchPath } from '@tallystick/core/internal'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

const profile = defineProfile({ baseUrl: 'https://gate.example.com/paynet' })
const endpoint = endpointAddress({ endpointId: '253' })
const group = endpointAddress({ endpointGroupId: '77' })

describe('operationUrl', () => {
  test('[S1-01] [S4-02] [G1-01] paths are relative to the base URL and end with the endpoint id', () => {
    expect(operationUrl('sale', endpoint, profile)).toBe('https://gate.example.com/paynet/api/v2/sale/253')
    expect(operationUrl('uploadCresResult', endpoint, profile)).toBe(
      'https://gate.example.com/paynet/api/3ds/v1/upload-cres-result/253',
    )
  })

  test('[G1-02] [S2-02] a group has a segment of its own', () => {
    expect(operationUrl('sale', group, profile)).toBe('https://gate.example.com/paynet/api/v2/sale/group/77')
    expect(operationUrl('transfer', group, profile)).toBe('https://gate.example.com/paynet/api/v4/transfer/group/77')
  })

  test('[G1-02] a recurring payment cannot be sent to a group', () => {
    expect(() => operationUrl('createRecurringPayment', group, profile)).toThrow(
      new TypeError('CREATE_RP_V4 cannot be sent to an endpoint group; give an endpointId for this call'),
    )
  })

  test.each(['uploadCresResult', 'uploadMethodUrlResult', 'uploadParesResult'] as const)(
    '[G1-03] %s takes a group id in place of the endpoint id',
    (key) => expect(operationUrl(key, group, profile)).toMatch(/\/api\/3ds\/v1\/upload-[a-z-]+-result\/77$/),
  )

  test('[G12-05] payout-form goes where the profile says', () => {
    expect(operationUrl('payoutForm', endpoint, profile)).toMatch(/\/api\/v2\/payout-form\/253$/)
    const brand = defineProfile({ baseUrl: profile.baseUrl, payoutFormPath: '/api/v4/payout-form' })
    expect(operationUrl('payoutForm', endpoint, brand)).toBe('https://gate.example.com/paynet/api/v4/payout-form/253')
  })

  test('[G12-01] make-rebill goes where the profile says', () => {
    expect(operationUrl('makeRebill', endpoint, profile)).toMatch(/\/api\/v2\/make-rebill\/253$/)
    const brand = defineProfile({ baseUrl: profile.baseUrl, rebillPath: '/api/v2/make-rebill-sale' })
    expect(operationUrl('makeRebill', endpoint, brand)).toBe(
      'https://gate.example.com/paynet/api/v2/make-rebill-sale/253',
    )
  })
})

describe('matchPath', () => {
  test.each(['/api/v2/payout-form/253', '/api/v4/payout-form/253'])('[G12-05] %s is payout-form', (path) =>
    expect(matchPath(path)?.key).toBe('payoutForm'),
  )

  const root = defineProfile({ baseUrl: 'http://localhost' })
  const pathOf = (url: string) => url.slice('http://localhost'.length)

  test.each(operationKeys)('[S4-02] finds %s by its path', (key) => {
    expect(matchPath(pathOf(operationUrl(key, endpoint, root)))).toEqual({ key, endpoint })
  })

  test.each(operationKeys.filter((key) => catalogue[key].groupAddress === 'segment'))(
    '[G1-02] finds %s by the path of a group',
    (key) => expect(matchPath(pathOf(operationUrl(key, group, root)))).toEqual({ key, endpoint: group }),
  )

  test.each(['/api/v2/make-rebill/253', '/api/v2/make-rebill-sale/253', '/api/v2/make-rebill-preauth/253'])(
    '[G12-01] %s is make-rebill',
    (path) => expect(matchPath(path)?.key).toBe('makeRebill'),
  )

  test.each([
    '/api/v2/sale',
    '/api/v2/sale/',
    '/api/v2/sale/x',
    '/api/v2/sale/0',
    '/api/v2/sale/007',
    '/api/v2/sale/9223372036854775808',
    '/api/v2/sale/253/',
    '/api/v2/sale/253?x=1',
    '/api/v2/sale/group/',
    '/api/v2/SALE/253',
    '/api/v3/sale/253',
    '/paynet/api/v2/sale/253',
    '/api/v4/create-recurring-payment/group/77',
    '/api/3ds/v1/upload-cres-result/group/77',
    '/api/v2/constructor/253',
    '',
    '/',
  ])('finds nothing for %s', (path) => expect(matchPath(path)).toBeUndefined())

  test('answers or finds nothing, whatever the path', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (path) => {
        expect(matchPath(`/api/${path}`)?.key ?? 'sale').toBeTypeOf('string')
      }),
    )
  })
})

describe('endpointAddress', () => {
  test.each([
    ['1', '1'],
    ['253', '253'],
    [253n, '253'],
    ['9223372036854775807', '9223372036854775807'],
    [9_223_372_036_854_775_807n, '9223372036854775807'],
  ])('[S2-01] [S4-02] [G13-27] takes %o', (endpointId, id) => {
    expect(endpointAddress({ endpointId })).toEqual({ id, isGroup: false })
  })

  test('[S2-02] [G1-02] takes a group', () => {
    expect(endpointAddress({ endpointGroupId: '77' })).toEqual({ id: '77', isGroup: true })
    expect(endpointAddress({ endpointGroupId: 77n })).toEqual({ id: '77', isGroup: true })
  })

  test.each([
    253,
    9_223_372_036_854_776_000,
    '9223372036854775808',
    9_223_372_036_854_775_808n,
    '0',
    0n,
    -1n,
    '-1',
    '007',
    '1.5',
    '1e3',
    ' 1',
    '1/../2',
    '',
    undefined,
    null,
  ])('[S2-01] [G13-27] refuses %o: an id is int64 as text or bigint, never a float', (endpointId) => {
    expect(() => endpointAddress({ endpointId } as Endpoint)).toThrow(TypeError)
    expect(() => endpointAddress({ endpointId } as Endpoint)).toThrow('endpointId must be a whole number from 1 to')
  })

  test('names the group when the group is wrong', () => {
    expect(() => endpointAddress({ endpointGroupId: 'x' })).toThrow('endpointGroupId must be')
  })
})

test('[S2-01] isEndpointId knows the borders of int64', () => {
  expect(['1', '9223372036854775807'].map(isEndpointId)).toEqual([true, true])
  expect(['0', '9223372036854775808', '99999999999999999999'].map(isEndpointId)).toEqual([false, false, false])
})
