import fc from 'fast-check'
import { expect, test } from 'vitest'
import { membersOf } from '../../src/codec/flat-json.ts'

const within = (text: string, maxDepth = 2, maxMembers = 3) => membersOf(text, { maxDepth, maxMembers }) !== undefined

test.each([
  ['{}', true],
  ['{"a":{}}', true],
  ['{"a":{"b":{}}}', false],
  ['[[[]]]', false],
  ['{"a":1,"b":2,"c":3}', true],
  ['{"a":1,"b":2,"c":3,"d":4}', false],
  ['{"a":[1,2],"b":3}', true],
  ['{"a":[1,2,3],"b":4}', false],
])('%s is within two levels and three members: %s', (text, expected) => {
  expect(within(text)).toBe(expected)
})

test('brackets, commas and escaped quotes within texts do not count', () => {
  expect(within('{"a[[[,,,\\"{{{":"}}},,,\\\\"}')).toBe(true)
  expect(within('{"a":"\\\\","b":[[[]]]}')).toBe(false)
})

test('a text that does not end is left to the parser', () => {
  expect(within('{"a":"[[[[[[,,,,,')).toBe(true)
  expect(within('{"a":"[[[\\"')).toBe(true)
})

test('it counts as the parsed document does', () => {
  const depthOf = (value: unknown): number =>
    typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0
  const extraOf = (value: unknown): number =>
    typeof value === 'object' && value !== null
      ? Math.max(0, Object.values(value).length - 1) +
        Object.values(value).reduce((sum: number, inner) => sum + extraOf(inner), 0)
      : 0
  fc.assert(
    fc.property(
      fc.jsonValue(),
      fc.integer({ min: 1, max: 6 }),
      fc.integer({ min: 1, max: 12 }),
      (value, depth, members) => {
        const expected = depthOf(value) <= depth && 1 + extraOf(value) <= members
        expect(within(JSON.stringify(value), depth, members)).toBe(expected)
      },
    ),
  )
})

test.each([
  ['{}', 1],
  ['{"a":1}', 1],
  ['{"a":{"b":1,"c":2},"d":[1,2,3],"e":",,"}', 3],
  ['{"a":1,"a":1,"\\u0061":2}', 3],
])('for %s it returns the number of members at the top: %s', (text, expected) => {
  expect(membersOf(text, { maxDepth: 8, maxMembers: 500 })).toBe(expected)
})
