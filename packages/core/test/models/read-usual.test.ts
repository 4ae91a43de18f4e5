import { catalogue, type Model, operationKeys } from '@tallystick/core'
import { CallbackNotice, ServerErrorResponse } from '@tallystick/core/internal'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parse, safeParse } from 'zod/v4/core'
import { isBlank } from '../../src/models/extra.ts'
import { schemaOf } from '../../src/models/model.ts'
import { Masked } from '../../src/sensitive/masked.ts'
import { validRequests } from '../requests/valid-requests.ts'

/** Card data hides itself from `toEqual`. The order of names means nothing. */
function revealed(value: unknown): unknown {
  if (value instanceof Masked) return [value.constructor.name, value.reveal()]
  if (typeof value !== 'object' || value === null) return value
  return new Map(Object.entries(value).map(([name, inner]) => [name, revealed(inner)]))
}

const models: readonly Model[] = [
  ...operationKeys.flatMap((key): Model[] => [catalogue[key].request, catalogue[key].reply]),
  ServerErrorResponse,
  CallbackNotice,
]
const cases = [...new Map(models.map((model) => [model.name, model])).values()]

const texts = fc.constantFrom(
  '',
  ' ',
  '1',
  '01',
  '12',
  '2030',
  '99',
  'USD',
  'eur',
  'DE',
  'true',
  'x@y',
  'ü@y',
  '1.50',
  '0.00',
  '0.01',
  '1.',

  '4444555566661111',
  '4444555566661112',
  ' 123 ',
  '123',
  'a  b',
  'Zoë',
  'Иван',
  '\ud800',
  'a\ud800',
  'a\nb',
  'a\tb',

  'https://a.example/b',
  'HTTP://a',
  'http:///a',
  'https://ä.example/',
  '::1',
  '192.0.2.1',
  '192.0.2.256',
  '+1 (2) 3',

  '2030-01-31',
  '2030-02-31',
  '20300131',
  '1.00,2.00',
  '-120',
  '999',
  'x'.repeat(200),
  '\u00a0x',
  'x\ufeff',
)
const values = fc.oneof(texts, fc.constantFrom(undefined, null, true, false, 1, 4, 2030, 1.5), fc.anything())

/** A valid input of the model if there is one, else a text in every field. */
function inputOf(model: Model): Readonly<Record<string, unknown>> {
  const key = operationKeys.find((each) => catalogue[each].request.name === model.name)
  if (key !== undefined) return validRequests[key].input
  return Object.fromEntries(Object.keys(model.fields).map((name) => [name, 'approved']))
}

describe.each(cases.map((model) => [model.name, model] as const))('%s', (_name, model) => {
  const schema = schemaOf(model.fields)

  test('is read as zod reads it, or not at all', () => {
    const input = inputOf(model)
    expect(revealed(model.readUsual(input))).toEqual(revealed(parse(schema, input)))
    const names = fc.constantFrom(...Object.keys(model.fields), 'extra', 'unknown', '__proto__', 'constructor')
    const changes = fc.array(fc.tuple(names, values), { maxLength: 4 })
    fc.assert(
      fc.property(changes, (changed) => {
        const spoiled = Object.fromEntries([...Object.entries(input), ...changed])
        const read = model.readUsual(spoiled)
        if (read !== undefined) expect(revealed(read)).toEqual(revealed(parse(schema, spoiled)))
        else expect(Object.values(spoiled).some(isBlank) || !safeParse(schema, spoiled).success).toBe(true)
      }),
      { numRuns: 300 },
    )
  })
})

const formats = cases.flatMap((model) =>
  Object.entries(model.fields).flatMap(([name, { format }]) => {
    const { usual, schema } = format
    return usual === undefined ? [] : [{ name: `${model.name} ${name}`, usual, schema }]
  }),
)

test.each(formats)(
  '$name takes nothing blank, and anything else as its schema does or not at all',
  ({ usual, schema }) => {
    fc.assert(
      fc.property(fc.oneof(values, fc.string(), fc.string({ unit: 'binary' })), (value) => {
        const read = usual(value)
        const right = read === undefined || isBlank(value) ? undefined : parse(schema, value)
        expect(revealed(read)).toEqual(revealed(right))
      }),
      { numRuns: 60 },
    )
  },
)

const notice = { status: 'approved', orderId: '1', clientOrderId: 'a', control: 'c' }

describe('readUsual', () => {
  test('ignores what was added to the prototype of all objects', () => {
    const everyObject: { polluted?: string; extra?: object } = Object.prototype
    Object.assign(everyObject, { polluted: 'x', extra: { polluted: 'x' } })
    const read = CallbackNotice.readUsual(notice)
    delete everyObject.polluted
    delete everyObject.extra
    expect(read).toEqual({ ...notice, extra: {} })
  })

  test('leaves an input with a prototype of its own to the schema', () => {
    expect(CallbackNotice.readUsual(notice)).toEqual({ ...notice, extra: {} })
    expect(CallbackNotice.readUsual(Object.create(notice))).toBeUndefined()
    expect(CallbackNotice.readUsual(Object.assign(Object.create({ type: 'sale' }), notice))).toBeUndefined()
  })

  test.each([
    ['an absent field', { ...notice, control: undefined }],
    ['a missing field', { status: 'approved', orderId: '1', clientOrderId: 'a' }],
    ['an unknown name', { ...notice, colour: 'red' }],
    [
      'the name of a prototype',
      JSON.parse('{"__proto__":"x","status":"approved","orderId":"1","clientOrderId":"a","control":"c"}'),
    ],
    ['an extra field that is no text', { ...notice, extra: { a: 1 } }],
  ])('leaves %s to the schema', (_what, input) => expect(CallbackNotice.readUsual(input)).toBeUndefined())

  test('returns a copy: neither the input nor its extra fields', () => {
    const extra = { a: '1' }
    const input = { ...notice, extra }
    const read = CallbackNotice.readUsual(input)
    expect(read).toEqual(input)
    expect(read).not.toBe(input)
    expect(read?.['extra']).not.toBe(extra)
  })
})
