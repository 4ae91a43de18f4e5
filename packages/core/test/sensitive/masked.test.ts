import { format, inspect } from 'node:util'
import { deserialize, serialize } from 'node:v8'
import { describe, expect, test } from 'vitest'
import { Cvv, Masked, Secret } from '../../src/sensitive/masked.ts'
import { Pan } from '../../src/sensitive/pan.ts'

const PAN = '4444333322221111'
const CVV = '8675'
const KEY = 'B17F59B4-A7DC-41B4-8FF9-37D986B43D20'

const cases: ReadonlyArray<readonly [name: string, value: Masked, canary: string, mask: string]> = [
  ['Pan', new Pan(PAN), PAN, '444433******1111'],
  ['Cvv', new Cvv(CVV), CVV, '***'],
  ['Secret', new Secret(KEY), KEY, '[secret]'],
]

describe.each(cases)('%s', (_name, value, canary, mask) => {
  const holder = { deep: { list: [value], map: new Map([[value, value]]), set: new Set([value]) } }

  test('reveals its value on request', () => {
    expect(value.reveal()).toBe(canary)
    expect(value).toBeInstanceOf(Masked)
  })

  test.each([
    ['template', (secret: Masked) => `${secret}`],
    ['concatenation', (secret: Masked) => `masked: ${secret.toString()}`.slice(8)],
    ['join', (secret: Masked) => [secret].join()],
    ['inspect', (secret: Masked) => inspect(secret)],
    ['format %s', (secret: Masked) => format('%s', secret)],
    ['format %o', (secret: Masked) => format('%o', secret)],
    ['format %O', (secret: Masked) => format('%O', secret)],
    ['format without placeholder', (secret: Masked) => format(secret)],
  ])('shows its mask by %s', (_channel, show) => {
    expect(show(value)).toBe(mask)
  })

  test('shows its mask in JSON', () => {
    expect(JSON.stringify({ value })).toBe(JSON.stringify({ value: mask }))
    expect(format('%j', { value })).toBe(JSON.stringify({ value: mask }))
  })

  test.each([
    [
      'inspect with everything',
      () => inspect(holder, { showHidden: true, depth: Number.POSITIVE_INFINITY, getters: true }),
    ],
    ['inspect without its hook', () => inspect(holder, { showHidden: true, depth: 9, customInspect: false })],
    ['JSON', () => JSON.stringify(holder)],
    ['number', () => format('%d %i %f', value, value, value)],
    ['entries', () => JSON.stringify(Object.entries(value))],
    ['own keys', () => Reflect.ownKeys(value).map(String).join()],
    ['property descriptors', () => inspect(Object.getOwnPropertyDescriptors(value), { showHidden: true })],
    ['spread', () => inspect({ ...value }, { showHidden: true })],
    ['assign', () => inspect(Object.assign({}, value), { showHidden: true })],
    ['structuredClone', () => inspect(structuredClone(value), { showHidden: true })],
    ['v8.serialize', () => serialize(value).toString('latin1') + inspect(deserialize(serialize(value)))],
    [
      'an error with it as cause',
      () => inspect(new Error('refused', { cause: holder }), { showHidden: true, depth: 9 }),
    ],
    ['an error that names it', () => String(new Error(`refused ${value}`).stack)],
    ['an aggregate error', () => inspect(new AggregateError([value], 'refused'), { showHidden: true, depth: 9 })],
    ['locale string', () => value.toLocaleString()],
  ])('is not seen by %s', (_channel, show) => {
    expect(show()).not.toContain(canary)
  })
})

test('refusals never quote what was given', () => {
  const refusalOf = (construct: () => Masked) => {
    try {
      return construct().masked
    } catch (error) {
      return inspect(error)
    }
  }
  expect(refusalOf(() => new Pan('4444333322221112'))).toContain('RangeError: A card number is 12 to 19 digits')
  expect(refusalOf(() => new Pan('4444333322221112'))).not.toContain('4444333322221112')
  expect(refusalOf(() => new Cvv('86755'))).toContain('RangeError: A CVV is 3 or 4 digits')
  expect(refusalOf(() => new Cvv('86755'))).not.toContain('86755')
})
