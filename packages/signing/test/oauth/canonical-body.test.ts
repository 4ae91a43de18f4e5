import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeParameters, normalizeParameters, type Parameter } from '../../src/index.ts'
import { canonicalBaseStringBytes } from '../../src/oauth/fast-base-string.ts'
import { readParameters } from '../../src/oauth/parameters.ts'
import { percentEncode } from '../../src/oauth/percent.ts'
import { releaseScratch } from '../../src/oauth/scratch-buffer.ts'
import { anyText } from '../any-text.ts'
import { textOf } from './base-string-text.ts'

/** Whether the fast path takes a body. If so, its bytes have to be those of the plain version. */
function isCanonical(body: string): boolean {
  const baseString = canonicalBaseStringBytes(new Uint8Array(), body)
  if (baseString === undefined) return false
  expect(textOf(baseString)).toBe(percentEncode(body))
  releaseScratch(baseString)
  return true
}

/** The plain version: it decodes the body, encodes it again and compares. */
function isCanonicalPlainly(body: string): boolean {
  const parameters = readParameters(body)
  if (parameters === undefined || parameters.length === 0) return false
  const names = new Set(parameters.map(([name]) => name))
  return names.size === parameters.length && normalizeParameters(parameters) === body
}

const name = fc.oneof(anyText(3), fc.constantFrom('a', 'a-b', 'a.b', 'ab', 'A', '', '~', 'é', '😀'))
const parameters = fc.array(fc.tuple(name, anyText(6)), { maxLength: 6 })
const sorted = parameters.map((pairs: Parameter[]) => normalizeParameters(pairs))
/** Canonical bodies that are broken at one place, by pieces that are nearly right. */
const broken = fc
  .tuple(
    sorted,
    fc.nat(),
    fc.nat(3),
    fc.constantFrom(
      '',
      '&',
      '=',
      '%',
      '%4',
      '%41',
      '%C3',
      '%c3%a9',
      '%2f',
      '+',
      'é',
      '%ED%A0%80',
      '%C0%AF',
      '%F4%90%80%80',
      '%00',
      '%7E',
      'a=&',
      '\n',
      'Ł',
    ),
  )
  .map(([body, place, length, piece]) => {
    const at = place % (body.length + 1)
    return body.slice(0, at) + piece + body.slice(at + length)
  })
const bytes = fc.array(fc.nat({ max: 255 }), { maxLength: 5 })
const escapes = bytes.map(
  (codes) => `a=${codes.map((code) => `%${code.toString(16).toUpperCase().padStart(2, '0')}`).join('')}`,
)

describe('canonicalBaseStringBytes', () => {
  test.for([
    ['what normalizeParameters writes', sorted],
    ['what is nearly that', broken],
    ['any escapes', escapes],
    ['any text', fc.string({ unit: fc.constantFrom('a', 'b', '=', '&', '%', '4', 'C', '-'), maxLength: 12 })],
  ] as const)('agrees with decoding and encoding about %s', ([, text]) => {
    fc.assert(
      fc.property(text, (body) => {
        expect(isCanonical(body)).toBe(isCanonicalPlainly(body))
      }),
      { numRuns: 2000 },
    )
  })

  test('agrees about every single escape, and takes the first and last character of each length of UTF-8', () => {
    for (let code = 0; code < 256; code++) {
      const body = `a=%${code.toString(16).toUpperCase().padStart(2, '0')}`
      expect(isCanonical(body)).toBe(isCanonicalPlainly(body))
    }
    for (const code of [
      0x80, 0x7ff, 0x800, 0xfff, 0x1000, 0xcfff, 0xd7ff, 0xe000, 0xffff, 0x10000, 0x3ffff, 0x40000, 0xfffff, 0x10ffff,
    ]) {
      expect(isCanonical(normalizeParameters([['a', String.fromCodePoint(code)]]))).toBe(true)
    }
  })

  test.for([
    '',
    '&',
    'a',
    'a&b=',
    'b=&a=',
    'a=&a=',
    'a=1&a=2',
    'a-b=&a=',
    '%61=',
    'a=%2f',
    'a=+',
    'a=b=c',
    'a=&',
    '&a=',
  ])('leaves %j to the plain path', (body) => {
    expect(isCanonical(body)).toBe(false)
  })

  test.for(['=', '=v', 'a=', 'a=&a-b=', 'a=&a.b=&aa=', '%00=', 'a=%20&b=%2B', 'A=&a='])('takes %j', (body) => {
    expect(isCanonical(body)).toBe(true)
    expect(normalizeParameters(decodeParameters(body))).toBe(body)
  })

  test.for([
    ['at its end', (length: number, piece: string) => 'b'.repeat(length) + piece],
    ['at its start', (length: number, piece: string) => piece + 'b'.repeat(length)],
  ] as const)('leaves a long body that is not ASCII %s to the plain path, wherever its bytes end', ([, long]) => {
    // Most of these lengths are around the size of the bytes that are lent.
    for (const length of [0, 1, 16_378, 16_379, 16_380, 16_381, 16_382, 16_383, 40_000]) {
      for (const piece of ['é', 'Ł', '€', '😀', '\ud800', 'b😀b']) {
        expect(isCanonical(`a=${long(length, piece)}`)).toBe(false)
      }
      expect(isCanonical(`a=${'b'.repeat(length)}`)).toBe(true)
    }
  })

  test('takes a canonical body of a megabyte, and no other', () => {
    expect(isCanonical(`a=${'b%20%C3%A9'.repeat(100_000)}&b=`)).toBe(true)
    expect(isCanonical(`a=${'b%20%C3%A9'.repeat(100_000)}%C3&b=`)).toBe(false)
  })

  test('is not affected by what the lent bytes held before', () => {
    for (const [before, body] of [
      ['a=%C3%A9%C3%A9', 'a=%C3'],
      ['a=%20', 'a=%2'],
      ['a=bbbb', 'a=%'],
      ['aa=bb', 'a'],
    ] as const) {
      isCanonical(before)
      expect(isCanonical(body)).toBe(false)
    }
  })
})
