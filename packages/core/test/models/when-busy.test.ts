import { CallbackNotice, catalogue, type Model, operationKeys, ServerErrorResponse } from '@tallystick/core'
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { schemaOf } from '../../src/models/model.ts'
import { BUSY, compiledWhenBusy } from '../../src/models/when-busy.ts'
import { Masked } from '../../src/sensitive/masked.ts'
import { validRequests } from '../requests/valid-requests.ts'

/** The schema as it is before and after it is busy. */
function bothOf(make: () => z.ZodType) {
  const schema = compiledWhenBusy(make)
  const plain = schema()
  for (let use = 2; use < BUSY; use++) schema()
  return { plain, last: schema(), later: schema() }
}

/** Card data hides itself from `toEqual`. */
function revealed(value: unknown): unknown {
  if (value instanceof Masked) return [value.constructor.name, value.reveal()]
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value).map(([name, inner]) => [name, revealed(inner)])
}

function outcome(schema: z.ZodType, input: unknown): unknown {
  const { success, data, error } = schema.safeParse(input)
  return success ? revealed(data) : error?.issues
}

const models: readonly Model[] = [
  ...operationKeys.flatMap((key): Model[] => [catalogue[key].request, catalogue[key].reply]),
  ServerErrorResponse,
  CallbackNotice,
]
const cases = [...new Map(models.map((model) => [model.name, model])).values()]

const values = fc.oneof(
  fc.constantFrom('', ' ', '1', '01', '12', '2030', 'USD', 'DE', 'true', 'x@y', '1.50', '4444555566661111', ' 123 '),
  fc.constantFrom(undefined, null, true, false, 1, 4, 2030, 1.5, '\ud800', 'https://a.example/b', '::1', '2030-01-31'),
  fc.anything(),
)

/** A valid input of the model where there is one, else a text in every field. */
function inputOf(model: Model): Readonly<Record<string, unknown>> {
  const key = operationKeys.find((each) => catalogue[each].request.name === model.name)
  if (key !== undefined) return validRequests[key].input
  return Object.fromEntries(Object.keys(model.fields).map((name) => [name, 'approved']))
}

describe.each(cases.map((model) => [model.name, model] as const))('%s', (_name, model) => {
  const plain = schemaOf(model.fields)
  const compiled = z.compile(plain, { strict: true })

  test('is the same compiled, whatever the input', () => {
    const input = inputOf(model)
    expect(outcome(compiled, input)).toEqual(outcome(plain, input))
    expect(plain.safeParse(input).success).toBe(true)
    const names = fc.constantFrom(...Object.keys(model.fields), 'extra', 'unknown', '__proto__', 'constructor')
    const changes = fc.array(fc.tuple(names, values), { maxLength: 4 })
    fc.assert(
      fc.property(changes, (changed) => {
        const spoiled = Object.fromEntries([...Object.entries(input), ...changed])
        expect(outcome(compiled, spoiled)).toEqual(outcome(plain, spoiled))
      }),
      { numRuns: 200 },
    )
  })
})

test('what is no object is refused by the compiled schema too', () => {
  const plain = schemaOf(CallbackNotice.fields)
  const compiled = z.compile(plain, { strict: true })
  for (const input of [undefined, null, 'text', 1, [], () => 1]) {
    expect(outcome(compiled, input)).toEqual(outcome(plain, input))
  }
})

describe('compiledWhenBusy', () => {
  afterEach(() => {
    z.config({ jitless: false })
  })

  test('makes the schema when it is first asked for, once', () => {
    let made = 0
    const schema = compiledWhenBusy(() => {
      made++
      return z.string()
    })
    expect(made).toBe(0)
    expect(schema()).toBe(schema())
    expect(made).toBe(1)
  })

  test('compiles it at the five hundredth use, and not again', () => {
    expect(BUSY).toBe(500)
    const { plain, last, later } = bothOf(() => z.strictObject({ a: z.string().trim() }))
    expect(last).not.toBe(plain)
    expect(later).toBe(last)
    expect(last.parse({ a: ' 1 ' })).toEqual({ a: '1' })
  })

  test('does not compile before', () => {
    const schema = compiledWhenBusy(() => z.strictObject({ a: z.string() }))
    const uses = Array.from({ length: BUSY - 1 }, schema)
    expect(new Set(uses).size).toBe(1)
    expect(schema()).not.toBe(uses[0])
  })

  test('leaves it plain where functions must not be made from text', () => {
    z.config({ jitless: true })
    const { plain, later } = bothOf(() => z.strictObject({ a: z.string() }))
    expect(later).toBe(plain)
  })

  test('a model is still the same model when it is busy', () => {
    const { schema } = catalogue.status.request
    for (let use = 0; use < BUSY; use++) expect(catalogue.status.request.schema).toBeDefined()
    const busy = catalogue.status.request.schema
    expect(busy).not.toBe(schema)
    expect(outcome(busy, validRequests.status.input)).toEqual(outcome(schema, validRequests.status.input))
  })
})
