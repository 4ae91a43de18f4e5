import { catalogue, defineProfile, MalformedFormError, type Model, operationKeys } from '@tallystick/core'
import { StatusResponse } from '@tallystick/core/internal'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { encodeModel } from '../../src/codec/reply.ts'
import { nameFinder, nameTexts } from '../../src/codec/wire-names.ts'

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

const models = operationKeys.map((key): Model => catalogue[key].request)
const sale: Model = catalogue.sale.request

describe('nameFinder', () => {
  test('[S4-05] finds the same fields as a lookup, whatever the order and the spelling', () => {
    const forms = fc.constantFrom(...models).chain((model) => {
      const { sent, read } = model.spelling()
      const wireNames = fc.constantFrom(...read.keys(), 'undocumented', '')
      const inOrder = fc.subarray(sent.map(([, wireName]) => wireName))
      return fc.tuple(fc.constant(model), fc.oneof(inOrder, fc.array(wireNames, { maxLength: 40 })))
    })
    fc.assert(
      fc.property(forms, ([model, wireNames]) => {
        const spelling = model.spelling()
        expect(wireNames.map(nameFinder(spelling))).toEqual(wireNames.map((wireName) => spelling.read.get(wireName)))
      }),
      { numRuns: 1000 },
    )
  })

  test('looks nothing up while the form keeps the order of the model, even with eight fields in a row absent', () => {
    const { sent, inOrder } = sale.spelling()
    const nameOf = nameFinder({ sent, inOrder, read: new Map() })
    const every = sent.filter((_, index) => index % 9 === 0)
    expect(every.map(([, wireName]) => nameOf(wireName))).toEqual(every.map(([name]) => name))
    expect(nameOf('client_orderid')).toBeUndefined()
  })

  test('looks up names that are further ahead', () => {
    const { sent, inOrder } = sale.spelling()
    expect(nameFinder({ sent, inOrder, read: new Map() })(sent[9]?.[1] ?? '')).toBeUndefined()
  })

  test('a spelling that a later field has taken means that field', () => {
    const spelling = sale.spelling({ SaleRequest: { purpose: 'city', address1: 'zip_code' } })
    expect(['city', 'zip_code'].map(nameFinder(spelling))).toEqual(['city', 'zipCode'])
    expect(spelling.inOrder.map(([name]) => name)).not.toContain('address1')
    expect(spelling.sent.map(([name]) => name)).toContain('address1')
  })
})
