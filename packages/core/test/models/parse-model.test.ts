import { catalogue } from '@tallystick/core'
import { parseModel } from '@tallystick/core/internal'
import { describe, expect, test } from 'vitest'
import { field, filledIn, optional, required } from '../../src/models/field.ts'
import { text } from '../../src/models/formats.ts'
import { defineModel } from '../../src/models/model.ts'

const model = defineModel({
  name: 'Example',
  meaning: 'An example.',
  fields: () => ({
    first: required(field('first_field', text(5), filledIn('13'), 'The first.')),
    second: optional(field('second_field', text(5), filledIn('13'), 'The second.')),
  }),
  rules: [
    ({ second }) => (second === 'a' ? { field: 'second', problem: 'must not be a', remedy: 'Take b.' } : undefined),
    ({ first }) => (first === 'x' ? { field: 'both', problem: 'are wrong', remedy: 'Change them.' } : undefined),
  ],
})

describe('parseModel', () => {
  test('returns the values as the model holds them, always with an extra', () => {
    expect(parseModel(model, { first: ' 1 ' })).toEqual({ ok: true, value: { first: '1', extra: {} } })
    expect(parseModel(model, { first: '1', extra: { a: 'b' } })).toEqual({
      ok: true,
      value: { first: '1', extra: { a: 'b' } },
    })
  })

  test('an unknown name is named, but a card number in its place is masked', () => {
    const read = parseModel(model, { first: '1', '4444555566661111': 'x', thrid: 'y' })
    const issues = read.ok ? [] : read.issues
    expect(issues.map(({ field }) => field)).toEqual(['444455******1111', 'thrid'])
    expect(JSON.stringify(issues)).not.toContain('4444555566661111')
  })

  test('[G2.4-01] blank values count as not supplied', () => {
    for (const second of [undefined, null, '', ' \t\n']) {
      expect(parseModel(model, { first: '1', second })).toEqual({ ok: true, value: { first: '1', extra: {} } })
    }
  })

  test.each([[[]], ['text'], [new Map([['a', 'b']])], [{ a: 1 }]])('refuses the extra %j', (extra) => {
    expect(parseModel(model, { first: '1', extra })).toEqual({
      ok: false,
      issues: [expect.objectContaining({ field: 'extra', problem: 'must be an object of texts' })],
    })
  })

  test('keeps an undocumented field of any name, in an object of its own', () => {
    const extra = Object.fromEntries([['__proto__', 'a']])
    const parsed = parseModel(model, { first: '1', extra })
    expect(parsed.ok && Object.entries(parsed.value.extra)).toEqual([['__proto__', 'a']])
    expect(parsed.ok && parsed.value.extra).not.toBe(extra)
  })

  test('every wrong field is an issue, once', () => {
    expect(parseModel(model, { second: 'too long', third: 1 })).toEqual({
      ok: false,
      issues: [
        { field: 'first', wireName: 'first_field', problem: 'is required', remedy: 'Supply it: The first.' },
        {
          field: 'second',
          wireName: 'second_field',
          problem: 'must be text of 1 to 5 characters',
          remedy: 'Supply it as a text and shorten it to 5 characters.',
        },
        {
          field: 'third',
          wireName: 'third',
          problem: 'is no field of Example',
          remedy: 'Check its spelling. A field that is not documented belongs in `extra`, under its wire name.',
        },
      ],
    })
  })

  test.each(['first_field', 'firstField', 'First-Field'])('a field is meant by its wire name: %s', (name) => {
    expect(parseModel(model, { first: '1', [name]: '1' })).toMatchObject({
      issues: [{ field: name, remedy: expect.stringContaining('Did you mean first?') }],
    })
  })

  test.each([
    ['half an emoji', { firstName: 'Ann\ud83d' }, /half a character.*cut in two/],
    ['the name of a state', { state: 'Washington', country: 'US' }, /postal letters, such as "WA", not its name/],
    ['the name of a country', { country: 'Germany' }, /two-letter code in capitals, not the name/],
    ['a country in small letters', { country: 'de' }, /two-letter code in capitals/],
    ['the sign of a currency', { currency: '\u20ac' }, /alphabetic code in capitals, neither a name nor a sign/],
    ['a currency in small letters', { currency: 'eur' }, /alphabetic code in capitals/],
    ['a day as it is written in Europe', { birthday: '31.12.1980' }, /eight digits, such as "19801231"/],
    ['a telephone number with letters', { phone: '1-800-FLOWERS' }, /one number, such as "\+12345678900"/],
  ])('[F-C7] the remedy fits what was given: %s', (_what, given, remedy) => {
    const parsed = parseModel(catalogue.sale.request, given)
    const [name] = Object.keys(given)
    const issue = parsed.ok ? undefined : parsed.issues.find(({ field: each }) => each === name)
    expect(issue?.remedy).toMatch(remedy)
    expect(issue?.remedy).not.toMatch(/shorten/i)
  })

  const asText = 'Send it as text, in quotes: a number loses leading zeros, and digits if it has many.'
  const shorter = 'Supply it as a text and shorten it to 5 characters.'

  test.each([
    [12_345, asText],
    [12_345n, asText],
    [123_456, shorter],
    [123_456n, shorter],
    [['1'], shorter],
    [true, shorter],
  ])('a number must be text if it is right otherwise: %o', (first, remedy) => {
    expect(parseModel(model, { first })).toEqual({
      ok: false,
      issues: [{ field: 'first', wireName: 'first_field', problem: 'must be text of 1 to 5 characters', remedy }],
    })
  })

  test('for a misspelt name, or a wire name, the right name is suggested', () => {
    const remedies = ['frist', 'FIRST', 'first_field'].map((name) => {
      const parsed = parseModel(model, { first: 'x', [name]: 'y' })
      return parsed.ok ? undefined : parsed.issues[0]?.remedy
    })
    expect(remedies).toEqual([
      expect.stringMatching(/^Did you mean first\? A field that is not documented/),
      expect.stringMatching(/^Did you mean first\?/),
      expect.stringMatching(/^Did you mean first\?/),
    ])
  })

  test('every broken rule is an issue, about a field or several', () => {
    expect(parseModel(model, { first: 'x', second: 'a' })).toEqual({
      ok: false,
      issues: [
        { field: 'second', wireName: 'second_field', problem: 'must not be a', remedy: 'Take b.' },
        { field: 'both', wireName: 'both', problem: 'are wrong', remedy: 'Change them.' },
      ],
    })
  })
})
