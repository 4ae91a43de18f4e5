import { catalogue, type Model, operationKeys } from '@tallystick/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nameFinder } from '../../src/codec/wire-names.ts'

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
