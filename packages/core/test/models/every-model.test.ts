import { catalogue, type Model, operationKeys } from '@tallystick/core'
import { CallbackNotice, ServerErrorResponse, ValidationErrorResponse } from '@tallystick/core/internal'
import { describe, expect, test } from 'vitest'

const models: readonly Model[] = [
  ...operationKeys.flatMap((key): Model[] => [catalogue[key].request, catalogue[key].reply]),
  ValidationErrorResponse,
  ServerErrorResponse,
  CallbackNotice,
]
const cases = [...new Map(models.map((model) => [model.name, model])).values()]

describe.each(cases.map((model) => [model.name, model] as const))('%s', (_name, model) => {
  const fields = Object.entries(model.fields)

  test('says in a sentence what it and each of its fields means', () => {
    for (const { meaning } of [model, ...Object.values(model.fields)]) expect(meaning).toMatch(/^.+\.$/)
  })

  test('names the parts of the documents that its fields and their bounds are from', () => {
    for (const [, { origin }] of fields) {
      expect(origin.kind).toMatch(/^(?:stated|filled in)$/)
      expect(origin.part).toMatch(origin.kind === 'stated' ? /^[26]$/ : /^(?:3(?:\.\d)?|4|5|6|13|14)$/)
      expect(origin.bounds).toMatch(/^(?:3(?:\.\d)?|4|5|6|13|14)$/)
    }
  })

  test('states the bound of each of its fields, and the remedy', () => {
    for (const [, { format }] of fields) {
      expect(format.wire.type).toBe('string')
      expect(format.bound).not.toBe('')
      expect(format.remedy).toMatch(/\.$/)
    }
  })

  test('spells no two fields alike, whatever the spelling', () => {
    const spellings = fields.flatMap(([, { wireName, aliases }]) => [wireName, ...aliases])
    expect(new Set(spellings).size).toBe(spellings.length)
  })

  test('says when a conditional field is required, and of no other', () => {
    for (const [, { necessity, condition }] of fields) {
      expect(condition !== undefined).toBe(necessity === 'conditional')
    }
  })

  test('calls its fields in camelCase', () => {
    for (const [name] of fields) expect(name).toMatch(/^[a-z][A-Za-z0-9]*$/)
  })
})

test('every field of a request has a length, a shape or a list of values', () => {
  for (const { request } of Object.values(catalogue)) {
    for (const { format } of Object.values((request as Model).fields)) {
      const { maxLength, pattern, enum: values, format: shape } = format.wire
      expect([maxLength, pattern, values, shape].some((bound) => bound !== undefined)).toBe(true)
    }
  }
})
