import { describe, expect, expectTypeOf, test } from 'vitest'
import { type Kind, type Kinds, kind, missingMethods } from '../../src/index.ts'

const clock = kind.withMethods('a clock, such as virtualClock()', 'now', 'schedule')
const methods = { now: () => 0, schedule: () => {} }

describe('kinds say what is right', () => {
  test.each<readonly [wanted: string, one: Kind, right: readonly unknown[], wrong: readonly unknown[]]>([
    ['a text', kind.text, ['', 'a'], [1, null, {}]],
    ['true or false', kind.flag, [true, false], ['true', 1, 0, null]],
    ['a list', kind.list, [[], [1]], [{}, 'a', new Set()]],
    ['an object', kind.object, [{}, new Map()], [null, [], 'a', () => {}]],
    ['a function', kind.function, [() => {}, class {}], [{}, 'a', null]],
    ['a whole number from 1 on', kind.count, [1, 2 ** 53 - 1], [0, -1, 1.5, '1', 1n, Number.NaN, 2 ** 53]],
    [
      'a number of milliseconds from 1 to 2147483647',
      kind.milliseconds,
      [1, 1.5, 2 ** 31 - 1],
      [0, 0.9, -1, 2 ** 31, '1', 1n, Number.NaN, null],
    ],
    ['anything', kind.anything, [null, 0, 'a', {}], []],
    ["'json' or 'classic'", kind.oneOf('json', 'classic'), ['json', 'classic'], ['xml', '', null, ['json']]],
    ['a list, each item a text', kind.listOf(kind.text), [[], ['a', 'b']], [['a', 1], 'a', { 0: 'a' }]],
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
    expect(kind.required(clock)).toEqual({ ...clock, isRequired: true })
  })
})

test('missing methods are found', () => {
  expect(missingMethods(methods, ['now', 'schedule'])).toEqual([])
  expect(missingMethods(Date, ['now', 'schedule'])).toEqual(['schedule'])
  expect(missingMethods(null, ['now', 'schedule'])).toEqual(['now', 'schedule'])
})

test('a table has every option, of each member of a union', () => {
  type Either = { readonly file: string } | { readonly pool: object; readonly schema?: string }
  const kinds: Kinds<Either> = { file: kind.text, pool: kind.object, schema: kind.text }
  expectTypeOf(kinds).toEqualTypeOf<Readonly<Record<'file' | 'pool' | 'schema', Kind>>>()
  expect(Object.keys(kinds)).toHaveLength(3)
})
