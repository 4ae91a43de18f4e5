import { describe, expect, expectTypeOf, test } from 'vitest'
import { missingMethods, type Validator, type Validators, validator } from '../../src/internal.ts'

const clock = validator.withMethods('a clock, such as virtualClock()', 'now', 'schedule')
const methods = { now: () => 0, schedule: () => {} }

describe('kinds say what is right', () => {
  test.each<readonly [wanted: string, one: Validator, right: readonly unknown[], wrong: readonly unknown[]]>([
    ['a text', validator.text, ['', 'a'], [1, null, {}]],
    ['true or false', validator.flag, [true, false], ['true', 1, 0, null]],
    ['a list', validator.list, [[], [1]], [{}, 'a', new Set()]],
    ['an object', validator.object, [{}, new Map()], [null, [], 'a', () => {}]],
    ['a function', validator.function, [() => {}, class {}], [{}, 'a', null]],
    ['a whole number from 1 on', validator.count, [1, 2 ** 53 - 1], [0, -1, 1.5, '1', 1n, Number.NaN, 2 ** 53]],
    [
      'a number of milliseconds from 1 to 2147483647',
      validator.milliseconds,
      [1, 1.5, 2 ** 31 - 1],
      [0, 0.9, -1, 2 ** 31, '1', 1n, Number.NaN, null],
    ],
    ['anything', validator.anything, [null, 0, 'a', {}], []],
    ["'json' or 'classic'", validator.oneOf('json', 'classic'), ['json', 'classic'], ['xml', '', null, ['json']]],
    ['a list, each item a text', validator.listOf(validator.text), [[], ['a', 'b']], [['a', 1], 'a', { 0: 'a' }]],
    [
      'a clock, such as virtualClock(), with now(), schedule()',
      clock,
      [methods, Object.assign(() => {}, methods), Object.create(methods)],
      [{}, Date, { ...methods, now: 0 }, 'a', null, undefined, Promise.resolve(methods)],
    ],
  ])('%s', (wanted, one, right, wrong) => {
    expect(one.wanted).toBe(wanted)
    expect(right.filter((value) => !one.isRight(value))).toEqual([])
    expect(wrong.filter((value) => one.isRight(value))).toEqual([])
  })

  test('and a required one differs only in being required', () => {
    expect(validator.required(clock)).toEqual({ ...clock, isRequired: true })
  })
})

test('missing methods are found', () => {
  expect(missingMethods(methods, ['now', 'schedule'])).toEqual([])
  expect(missingMethods(Date, ['now', 'schedule'])).toEqual(['schedule'])
  expect(missingMethods(null, ['now', 'schedule'])).toEqual(['now', 'schedule'])
})

test('a table has every option, of each member of a union', () => {
  type Either = { readonly file: string } | { readonly pool: object; readonly schema?: string }
  const kinds: Validators<Either> = { file: validator.text, pool: validator.object, schema: validator.text }
  expectTypeOf(kinds).toEqualTypeOf<Readonly<Record<'file' | 'pool' | 'schema', Validator>>>()
  expect(Object.keys(kinds)).toHaveLength(3)
})
