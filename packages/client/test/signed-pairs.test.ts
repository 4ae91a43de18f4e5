import { catalogue, controlTerms, defineProfile, type Operation, type OperationKey, type Pair } from '@tallystick/core'
import { describe, expect, test } from 'vitest'
import { signedPairs } from '../src/signed-pairs.ts'
import { baseUrl } from './merchant.ts'
import { operations } from './operations.ts'

const usual = defineProfile({ baseUrl })
const respelled = defineProfile({ baseUrl, wireNames: { SaleRequest: { amount: 'sum', currency: 'money' } } })

/** What a control is made of, by all pairs and by those alone that are signed. */
function termsOf(key: OperationKey, pairs: readonly Pair[], profile = usual) {
  const { auth, request: model }: Operation = catalogue[key]
  if (auth.scheme !== 'control') throw new Error(`${key} has no control`)
  const input = { auth, model, endpointId: '253', profile }
  const signed = signedPairs(pairs, auth, model, profile)
  return { signed, ofSigned: controlTerms({ ...input, pairs: signed }), ofAll: controlTerms({ ...input, pairs }) }
}

const controlled = operations.filter(({ signed }) => 'control' in signed)

describe.each(controlled)('the control of $key', ({ key, form }) => {
  const pairs = Object.entries(form)

  test('is made of the signed pairs as of all', () => {
    const { ofSigned, ofAll } = termsOf(key, pairs)
    expect(ofAll.ok).toBe(true)
    expect(ofSigned).toEqual(ofAll)
  })

  test.each(pairs.map(([name]) => name))('finds %s missing, blank or wrong as it does of all', (name) => {
    const others = pairs.filter(([other]) => other !== name)
    for (const changed of [others, [...others, [name, ' ']], [...others, [name, '?\n']]] as const) {
      const { ofSigned, ofAll } = termsOf(key, changed as readonly Pair[])
      expect(ofSigned).toEqual(ofAll)
    }
  })
})

describe('Of a sale', () => {
  const sale: readonly Pair[] = [
    ['client_orderid', 'a'],
    ['order_desc', 'Tea'],
    ['sum', '10'],
    ['money', 'JPY'],
    ['email', 'a@example.com'],
  ]

  test('at a brand that spells it otherwise, the names of the brand count', () => {
    const { signed, ofSigned, ofAll } = termsOf('sale', sale, respelled)
    expect(signed.map(([name]) => name)).toEqual(['client_orderid', 'sum', 'money', 'email'])
    expect(ofSigned).toEqual({ ok: true, terms: ['253', 'a', '1000', 'a@example.com'] })
    expect(ofAll).toEqual(ofSigned)
  })

  test('at a brand that gives two fields one name, all pairs are left to the plain reading', () => {
    const doubled = defineProfile({ baseUrl, wireNames: { SaleRequest: { city: 'address1' } } })
    const pairs: readonly Pair[] = [...sale, ['address1', 'Main st 1'], ['address1', 'Berlin']]
    expect(() => termsOf('sale', pairs, doubled)).toThrow('twice')
  })
})
