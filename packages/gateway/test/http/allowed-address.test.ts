import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isAllowedAddress, isSameAddress } from '../../src/http/allowed-address.ts'
import { FORBIDDEN, PUBLIC } from '../support/forbidden-addresses.ts'

const PRODUCTION = { sandbox: false }
const SANDBOX = { sandbox: true }

describe('an IP address', () => {
  test.for(FORBIDDEN)('that is not public is not allowed: %s', ([, ...addresses]) => {
    expect(addresses.filter((address) => isAllowedAddress(address, PRODUCTION))).toEqual([])
  })

  test('that is public is allowed, also in a sandbox', () => {
    expect(PUBLIC.filter((address) => !isAllowedAddress(address, PRODUCTION))).toEqual([])
    expect(PUBLIC.filter((address) => !isAllowedAddress(address, SANDBOX))).toEqual([])
  })

  test('of this machine is allowed in a sandbox, and nothing else that is not public', () => {
    const allowed = FORBIDDEN.flatMap(([, ...addresses]) => addresses).filter((each) => isAllowedAddress(each, SANDBOX))
    expect(allowed).toEqual(['127.0.0.1', '127.255.255.254', '::1'])
  })

  test.for([
    '',
    'localhost',
    '0177.0.0.1',
    '0x7f.1',
    '2130706433',
    '8.8.8',
    '08.8.8.8',
    '8.8.8.8.',
    ' 8.8.8.8',
    '8.8.8.8/32',
    '2001:4860:4860::8888%eth0',
    '::1%lo',
    '[2001:4860:4860::8888]',
  ])('in any but the plain form is not allowed: %s', (text) => {
    expect([isAllowedAddress(text, PRODUCTION), isAllowedAddress(text, SANDBOX)]).toEqual([false, false])
  })

  test('of version 6 that holds an IPv4 address is never allowed', () => {
    const prefixes = ['::', '::ffff:', '::ffff:0:', '64:ff9b::']
    fc.assert(
      fc.property(fc.ipV4(), fc.constantFrom(...prefixes), (address, prefix) => {
        expect(isAllowedAddress(prefix + address, PRODUCTION)).toBe(false)
      }),
    )
  })

  test('of version 6 is never allowed outside 2000::/3', () => {
    const first = fc.oneof(fc.integer({ min: 0, max: 0x1fff }), fc.integer({ min: 0x4000, max: 0xffff }))
    const rest = fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 7, maxLength: 7 })
    fc.assert(
      fc.property(first, rest, (group, groups) => {
        const address = [group, ...groups].map((one) => one.toString(16)).join(':')
        expect(isAllowedAddress(address, PRODUCTION)).toBe(false)
      }),
    )
  })
})

test('two spellings of one address are the same', () => {
  expect(isSameAddress('2001:4860:4860::8888', '2001:4860:4860:0:0:0:0:8888')).toBe(true)
  expect(isSameAddress('2001:DB8::1', '2001:db8::1')).toBe(true)
  expect(isSameAddress('8.8.8.8', '8.8.8.8')).toBe(true)
  expect(isSameAddress('8.8.8.8', '8.8.4.4')).toBe(false)
  expect(isSameAddress('8.8.8.8', '::ffff:8.8.8.8')).toBe(false)
  expect(isSameAddress('8.8.8.8', '')).toBe(false)
  expect(isSameAddress('', '')).toBe(false)
})
