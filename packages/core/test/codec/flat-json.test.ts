import fc from 'fast-check'
import { expect, test } from 'vitest'
import { membersOf } from '../../src/codec/json.ts'

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

test.each([
  '{"a":"[[[[[[,,,,,',
  '{"a":"[[[\\"',
  '{"a":1',
  '{"a":1]',
  '{"a":1}x',
  '{"a":1,}',
  '{,"a":1}',
  '{a:1}',
  '{"a"}',
])('%s has no members', (text) => expect(membersOf(text, { maxDepth: 8, maxMembers: 500 })).toBeUndefined())

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
      fc.dictionary(fc.string(), fc.jsonValue()),
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
  ['{}', []],
  ['{"a":1}', [['"a"', '1']]],
  [
    '{ "a" : 1 , "b":{"c":[1,2]}} \n\0',
    [
      ['"a"', '1'],
      ['"b"', '{"c":[1,2]}'],
    ],
  ],
  [
    '{"a":"},\\",","a":True}',
    [
      ['"a"', '"},\\","'],
      ['"a"', 'True'],
    ],
  ],
])('the members of %j are cut as they stand', (text, expected) => {
  expect(membersOf(text, { maxDepth: 8, maxMembers: 500 })).toEqual(expected)
})
