import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeParameters, normalizeParameters, type Parameter } from '../../src/index.ts'
import { sortedBaseStringBytes } from '../../src/oauth/base-string-bytes.ts'
import { isEncodedCanonically } from '../../src/oauth/canonical-body.ts'
import { readParameters } from '../../src/oauth/decode-parameters.ts'
import { returnBytes } from '../../src/oauth/lent-bytes.ts'
import { anyText } from '../any-text.ts'

/** Both halves of the fast path, as `canonicalBaseString` takes them. */
function isCanonical(body: string): boolean {
  const bytes = isEncodedCanonically(body) ? sortedBaseStringBytes(new Uint8Array(), body) : undefined
  if (bytes !== undefined) returnBytes(bytes)
  return bytes !== undefined
}

/** The plain version: it decodes, writes anew and compares. */
function isCanonicalPlainly(body: string): boolean {
  const parameters = readParameters(body)
  if (parameters === undefined || parameters.length === 0) return false
  const names = new Set(parameters.map(([name]) => name))
  return names.size === parameters.length && normalizeParameters(parameters) === body
}

const name = fc.oneof(anyText(3), fc.constantFrom('a', 'a-b', 'a.b', 'ab', 'A', '', '~', 'é', '😀'))
const parameters = fc.array(fc.tuple(name, anyText(6)), { maxLength: 6 })
const sorted = parameters.map((pairs: Parameter[]) => normalizeParameters(pairs))
/** Broken at one place, by pieces that are nearly right. */
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

describe('a canonical body', () => {
  test.for([
    ['what normalizeParameters writes', sorted],
    ['what is nearly that', broken],
    ['any escapes', escapes],
    ['any text', fc.string({ unit: fc.constantFrom('a', 'b', '=', '&', '%', '4', 'C', '-'), maxLength: 12 })],
  ] as const)('says of %s what decoding and encoding say', ([, text]) => {
    fc.assert(
      fc.property(text, (body) => {
        expect(isCanonical(body)).toBe(isCanonicalPlainly(body))
      }),
      { numRuns: 2000 },
    )
  })

  test('agrees about every single escape and about the first and last of each length of UTF-8', () => {
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
  ])('sends %j to the plain path', (body) => {
    expect(isCanonical(body)).toBe(false)
  })

  test.for(['=', '=v', 'a=', 'a=&a-b=', 'a=&a.b=&aa=', '%00=', 'a=%20&b=%2B', 'A=&a='])('knows %j', (body) => {
    expect(isCanonical(body)).toBe(true)
    expect(normalizeParameters(decodeParameters(body))).toBe(body)
  })

  test('sends a body over 16 KiB to the plain path', () => {
    expect(isCanonical(`a=${'b'.repeat(16_382)}`)).toBe(true)
    expect(isCanonical(`a=${'b'.repeat(16_383)}`)).toBe(false)
  })
})
