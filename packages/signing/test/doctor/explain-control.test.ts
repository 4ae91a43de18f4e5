import { describe, expect, test } from 'vitest'
import { explainControl } from '../../src/index.ts'
import type { ControlEvidence } from '../../src/internal.ts'
import { catchSigningError } from '../catch-signing-error.ts'
import { rules, sha1 } from './broken-controls.ts'

const key = 'B17F59B4-A7DC-41B4-8FF9-37D986B43D20'

/** The sale of the published example (gaps part 7.1): its control is c6bdd88a78834ef4b863b088827a459f039e8257. */
const sale: ControlEvidence = {
  formula: ['endpointId', 'clientOrderId', 'amountInCents', 'email'],
  rules,
  fields: { client_orderid: '902B4FF5', amount: '10.42', email: 'john.smith@gmail.com' },
  path: { kind: 'endpoint', id: '1111' },
  key,
  control: 'c6bdd88a78834ef4b863b088827a459f039e8257',
}
const explainSigned = (text: string, more: Partial<ControlEvidence> = {}) =>
  explainControl({ ...sale, control: sha1(text), ...more })

describe('explainControl', () => {
  test('finds nothing wrong with the published control, in either case', () => {
    expect(explainControl(sale)).toEqual({ explained: false, right: true })
    expect(explainControl({ ...sale, control: sale.control.toUpperCase() })).toEqual({ explained: false, right: true })
  })

  test('[F-C14] notices that a printed secret was signed with', () => {
    expect(explainSigned('1111902B4FF51042john.smith@gmail.com[secret]')).toMatchObject({
      cause: 'wrong-key',
      advice: 'the key is the text [secret], which a Secret prints: take the text that its reveal() returns',
    })
  })

  test('[S5.1-05] says what was signed, what should have been, and where they differ', () => {
    expect(explainSigned(`1111902B4FF510.42john.smith@gmail.com${key}`)).toEqual({
      explained: true,
      cause: 'amount-in-units',
      where: 14,
      advice: 'sign amountInCents in minor units: 10.42 is signed as 1042',
      expected: '1111902B4FF51042john.smith@gmail.com[key]',
      received: '1111902B4FF510.42john.smith@gmail.com[key]',
      comparison: [
        'expected: 1111902B4FF51042john.smith@gmail.com[key]',
        'received: 1111902B4FF510.42john.smith@gmail.com[key]',
        '                        ^',
      ].join('\n'),
    })
  })

  test('[G7.1-03] recognizes an amount from which a float lost a cent', () => {
    const fields = { ...sale.fields, amount: '19.99' }
    expect(explainSigned(`1111902B4FF51998john.smith@gmail.com${key}`, { fields })).toMatchObject({
      cause: 'amount-by-float',
      expected: '1111902B4FF51999john.smith@gmail.com[key]',
    })
  })

  test('reads an amount without decimals of a currency that has none', () => {
    const evidence = {
      ...sale,
      rules: { ...rules, amountInCents: { reads: 'amount', field: 'amount', decimals: 0 } },
      fields: { ...sale.fields, amount: '10' },
    } as const
    const right = { ...evidence, control: sha1(`1111902B4FF510john.smith@gmail.com${key}`) }
    expect(explainControl(right)).toEqual({ explained: false, right: true })
  })

  test('leaves an amount as it is if it is invalid', () => {
    const fields = { ...sale.fields, amount: 'ten' }
    expect(explainSigned('other', { fields })).toEqual({
      explained: false,
      right: false,
      expected: '1111902B4FF5tenjohn.smith@gmail.com[key]',
    })
    const none = { ...sale.fields, amount: '' }
    expect(explainSigned(`1111902B4FF5john.smith@gmail.com${key}`, { fields: none })).toMatchObject({ right: true })
  })

  test('[S5.1-03] counts a field of white space as absent, and names the mistake if it was signed', () => {
    const fields = { ...sale.fields, email: '  ' }
    expect(explainSigned(`1111902B4FF51042${key}`, { fields })).toMatchObject({ right: true })
    expect(explainSigned(`1111902B4FF51042  ${key}`, { fields })).toMatchObject({ cause: 'value-not-trimmed' })
  })

  test('counts the currency only with an amount', () => {
    const evidence = {
      ...sale,
      formula: ['login', 'amountInCents', 'currency'],
      fields: { login: 'shop', currency: 'EUR' },
    }
    expect(explainControl({ ...evidence, control: sha1(`shop${key}`) })).toMatchObject({ right: true })
  })

  test('names the operation whose formula was used', () => {
    const otherFormulas = { STATUS: ['login', 'clientOrderId', 'orderId'], SALE: sale.formula }
    const fields = { ...sale.fields, login: 'shop' }
    expect(explainSigned(`shop902B4FF5${key}`, { otherFormulas, fields })).toMatchObject({
      cause: 'formula-of-other-operation',
      advice: expect.stringContaining('this is the formula of STATUS'),
    })
  })

  test('shows where the key went, and not the key', () => {
    expect(explainSigned(`${key}1111902B4FF51042john.smith@gmail.com`)).toMatchObject({
      cause: 'wrong-order',
      received: '[key]1111902B4FF51042john.smith@gmail.com',
    })
  })

  test('masks card numbers and keys even if it explains nothing', () => {
    const fields = { ...sale.fields, client_orderid: 'x4111111111111111', email: `${key}@example.com` }
    expect(explainSigned('other', { fields, otherKeys: ['example'] })).toEqual({
      explained: false,
      right: false,
      expected: `1111x411111**********1042${'*'.repeat(key.length)}@*******.com[key]`,
    })
  })

  test('names a wrong key that it does not have only if the text of the sender ends with it, and does not show it', () => {
    const theirText = '1111902B4FF51042john.smith@gmail.comSANDBOX'
    expect(explainSigned(theirText)).toMatchObject({ explained: false, right: false })
    const found = explainSigned(theirText, { theirText })
    expect(found).toMatchObject({ cause: 'wrong-key', received: '1111902B4FF51042john.smith@gmail.com[another key]' })
    expect(JSON.stringify(found)).not.toContain('SANDBOX')
  })

  test('points at the difference if the text of the sender has an unknown mistake', () => {
    const theirText = `1111#902B4FF5#1042#john.smith@gmail.com#${key}`
    expect(explainSigned(theirText, { theirText })).toMatchObject({
      cause: 'different-text',
      where: 4,
      received: '1111#902B4FF5#1042#john.smith@gmail.com#[key]',
    })
    const withoutKey = '1111#902B4FF5#secret'
    expect(explainSigned(withoutKey, { theirText: withoutKey })).toMatchObject({
      cause: 'different-text',
      received: '1111[what follows may hold a key]',
    })
  })

  test('ignores a text of the sender that does not make the control', () => {
    expect(explainSigned('something', { theirText: 'something else' })).toMatchObject({ explained: false })
  })

  test('gives up on the order of more terms than any formula has', () => {
    const formula = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
    const fields = Object.fromEntries(formula.map((name) => [name, name.repeat(2)]))
    expect(explainSigned(`ggffeeddccbbaa${key}`, { formula, fields })).toMatchObject({ explained: false })
  })

  test('counts terms that are named like members of every object as absent', () => {
    expect(explainSigned(key, { formula: ['toString', '__proto__'] })).toMatchObject({ right: true })
  })

  test('refuses an empty key', () => {
    expect(catchSigningError(() => explainControl({ ...sale, key: '' })).code).toBe('BAD_KEY')
  })
})
