import { describe, expect, test } from 'vitest'
import { parse, safeParse } from 'zod/v4/core'
import { field, filledIn, optional, required } from '../../src/models/field.ts'
import { amount, amountList, currency, text } from '../../src/models/formats.ts'
import { defineModel } from '../../src/models/model.ts'
import { breaksItsBound, hasTooManyDecimals, isMissing, parseModel } from '../../src/models/parse-model.ts'

const origin = filledIn('13')

/** Fresh each time: what a model works out once, it works out in each test. */
const newModel = () =>
  defineModel({
    name: 'Example',
    meaning: 'An example.',
    fields: () => ({
      amount: required(field('amount', amount, origin, 'The amount.')),
      currency: optional(field('currency', currency, origin, 'The currency.')),
      fee: optional(field('fee', amount, origin, 'The fee.')),
      tips: optional(field('tips', amountList, origin, 'The tips.')),
    }),
  })

describe('a model', () => {
  test('is of the specification, and has no rules, by default', () => {
    expect(newModel()).toMatchObject({ origin: 'stated', rules: [] })
    expect(defineModel({ name: 'A', origin: 'filled in', meaning: 'A.', fields: () => ({}) }).origin).toBe('filled in')
  })

  test('knows which of its fields are amounts', () => {
    expect(newModel().amounts).toEqual(['amount', 'fee', 'tips'])
  })

  test('is refused without what it requires, whatever else is there', () => {
    const issues = [{ field: 'amount', wireName: 'amount', problem: 'is required', remedy: 'Supply it: The amount.' }]
    expect(parseModel(newModel(), { currency: 'EUR' })).toEqual({ ok: false, issues })
    expect(parseModel(newModel(), {})).toEqual({ ok: false, issues })
    expect(parseModel(newModel(), { extra: { amount: '1.00' } })).toMatchObject({ ok: false, issues })
    expect(parseModel(newModel(), { amount: '1.00' })).toMatchObject({ ok: true })
  })

  test('returns undocumented fields in an object of their own, also by its schema', () => {
    const extra = { 'brand-field': 'x' }
    const parsed = parse(newModel().schema, { amount: '1.00', extra })
    expect(parsed).toEqual({ amount: '1.00', extra })
    expect(parsed['extra']).not.toBe(extra)
  })

  test.each([[{ a: 'x', b: 1 }], [{ a: 1, b: 'x' }], [[]], ['x']])('refuses the extra %j by its schema', (extra) => {
    expect(safeParse(newModel().schema, { amount: '1.00', extra }).success).toBe(false)
  })
})

describe('what is wrong with a field', () => {
  const fee = field('fee_amount', text(5), origin, 'The fee of the order.')

  test('says what it must be, and what to do', () => {
    expect(breaksItsBound('fee', fee)).toEqual({
      field: 'fee',
      wireName: 'fee_amount',
      problem: 'must be text of 1 to 5 characters',
      remedy: 'Supply it as a text and shorten it to 5 characters.',
    })
    expect(isMissing('fee', fee)).toEqual({
      field: 'fee',
      wireName: 'fee_amount',
      problem: 'is required',
      remedy: 'Supply it: The fee of the order.',
    })
    expect(hasTooManyDecimals('fee', fee, 2)).toEqual({
      field: 'fee',
      wireName: 'fee_amount',
      problem: 'must have at most 2 decimals',
      remedy:
        'Round it. If this currency has more decimals at the gateway, set `exponents` where you make the client (`profile`).',
    })
  })
})
