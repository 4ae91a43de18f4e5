import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { scanJson } from '../../src/codec/json.ts'
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
