import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { membersOf, scanJson } from '../../src/codec/json.ts'
import { plainJson } from '../../src/codec/reply-formats.ts'

/** Texts that are nearly flat JSON objects: every character with a meaning, escapes, and what is no white space in JSON. */
const marks = [
  '{',
  '}',
  '[',
  ']',
  '"',
  ':',
  ',',
  '"a":"1"',
  '"b":"2"',
  ',"c":"3"',
  '"1":"x"',
  '"__proto__":"p"',
  '"a"',
  '\\',
  '\\"',
  ' ',
  '\n',
  '\t',
  '\v',
  '\u00a0',
  '\0',
  'é',
  '\u2028',
  '1',
  'null',
]
const texts = fc.oneof(
  fc.array(fc.constantFrom(...marks), { maxLength: 12 }).map((parts) => parts.join('')),
  fc.array(fc.constantFrom(...marks), { maxLength: 12 }).map((parts) => `{${parts.join('')}}`),
  fc.dictionary(fc.string(), fc.string({ unit: 'binary' })).map((record) => JSON.stringify(record)),
  fc.dictionary(fc.string(), fc.string()).map((record) => JSON.stringify(record, undefined, 2)),
)

describe('scanJson', () => {
  test('[G2.1-03] reads what the plain reader reads, or nothing', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const scanned = scanJson(text, 500)
        const plain = plainJson(text, () => true)?.map(([name, value]) => [name.trim(), value.trim()] as const)
        if (scanned !== undefined) expect(new Map(scanned)).toEqual(new Map(plain))
      }),
      { numRuns: 10_000 },
    )
  })

  test.each([
    ['{"type":"x"}', [['type', 'x']]],
    [
      '{"a":"","":"1"}',
      [
        ['a', ''],
        ['', '1'],
      ],
    ],
    [
      '{ "a" : "é\u2028ö" ,\r\n\t"b":"{,}[]:" } \n',
      [
        ['a', 'é\u2028ö'],
        ['b', '{,}[]:'],
      ],
    ],
    ['{"__proto__":"p"}', [['__proto__', 'p']]],
    ['{" a ":" b c\u00a0"}', [['a', 'b c']]],
  ])('reads %j itself', (text, pairs) => expect(scanJson(text, 2)).toEqual(pairs))

  test.each([
    '',
    '{}',
    '{"a":1}',
    '{"a":"\\u0041"}',
    '{"a":"1","a":"1"}',
    '{"a":"1","a ":"1"}',
    '{": \n"x"}',
    '{"a":"1",}',
    '{"a":"1"',
    '{"a":"1"}x',
    '{"a":"1\n"}',
    '{\v"a":"1"}',
    '["a":"1"}',
    '{"a":"1","b":"2","c":"3"}',
    '{"a":{"b":"1"}}',
  ])('leaves %j to the plain reading', (text) => expect(scanJson(text, 2)).toBeUndefined())

  test('takes linear time for a text without an end', () => {
    expect(scanJson(`{${'"a" '.repeat(200_000)}`, 500)).toBeUndefined()
    expect(scanJson(`{"a":"${'x'.repeat(1_000_000)}`, 500)).toBeUndefined()
    expect(scanJson(`{"a"${' '.repeat(1_000_000)}`, 500)).toBeUndefined()
  }, 5000)
})

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

test('membersOf counts no brackets, commas and escaped quotes within texts', () => {
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

test('membersOf counts as the parsed document does', () => {
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
