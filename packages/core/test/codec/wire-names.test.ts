import { catalogue, defineProfile, MalformedFormError } from '@tallystick/core'
import { StatusResponse } from '@tallystick/core/internal'
import { describe, expect, test } from 'vitest'
import { encodeModel } from '../../src/codec/reply.ts'
import { nameTexts } from '../../src/codec/wire-names.ts'

describe('encodeModel', () => {
  test('writes by the names of a profile', () => {
    const profile = defineProfile({
      baseUrl: 'https://gate.example.com/paynet',
      wireNames: { StatusResponse: { status: 'order-status' } },
    })
    expect(encodeModel(StatusResponse, { status: 'approved', type: 'status-response' }, profile)).toEqual([
      ['type', 'status-response'],
      ['order-status', 'approved'],
    ])
  })
})

describe('nameTexts', () => {
  const { request } = catalogue.sale

  test('keeps what is not documented beside a field that comes under two spellings', () => {
    const pairs = [
      ['client_orderid', 'a'],
      ['brand-field', 'x'],
      ['client-order-id', 'a'],
    ] as const
    expect(nameTexts(request, pairs)).toEqual({ known: { clientOrderId: 'a' }, extra: new Map([['brand-field', 'x']]) })
  })

  test('keeps it beside one whose second spelling is blank', () => {
    const pairs = [
      ['client_orderid', 'a'],
      ['brand-field', 'x'],
      ['client-order-id', ''],
    ] as const
    expect(nameTexts(request, pairs)).toEqual({ known: { clientOrderId: 'a' }, extra: new Map([['brand-field', 'x']]) })
  })

  test('accepts one value under two spellings, beside a field with a blank spelling', () => {
    const pairs = [
      ['client_orderid', 'a'],
      ['client-order-id', 'a'],
      ['purpose', ''],
      ['destination', 'gift'],
    ] as const
    expect(nameTexts(request, pairs).known).toEqual({ clientOrderId: 'a', purpose: 'gift' })
  })

  const twice = ['client_orderid', 'a'] as const
  const other = ['order_desc', 'x'] as const
  test.each([
    ['alone', [twice, twice]],
    ['with one field more', [twice, twice, other]],
    ['with one between', [twice, other, twice]],
    ['of a name that is not documented', [other, ['brand-field', 'x'], ['brand-field', 'y']]],
  ] as const)('refuses a name that comes twice, %s', (_where, pairs) => {
    expect(() => nameTexts(request, pairs)).toThrow(expect.objectContaining({ reason: 'repeated-name' }))
  })

  test.each([
    ['a', ''],
    ['a', ' '],
    ['', 'a'],
  ])('[G2.4-01] accepts %j and %j under two spellings: a blank one is absent', (first, second) => {
    const pairs = [
      ['client_orderid', first],
      ['client-order-id', second],
    ] as const
    expect(nameTexts(request, pairs).known).toEqual({ clientOrderId: 'a' })
  })

  test('says that two values under two spellings repeat the field', () => {
    const pairs = [
      ['client_orderid', 'a'],
      ['client-order-id', 'b'],
    ] as const
    expect(() => nameTexts(request, pairs)).toThrow(MalformedFormError)
    expect(() => nameTexts(request, pairs)).toThrow(expect.objectContaining({ reason: 'repeated-name' }))
  })
})
