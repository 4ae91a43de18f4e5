import type { Pair } from '@tallystick/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { encodeForm } from '../../src/codec/encode-form.ts'
import { plainForm } from '../../src/codec/form.ts'

const texts = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc
    .array(fc.constantFrom('a', ' ', '&', '=', '%', "!'()*", '~', '-', '\x1e', '\x1f', '\0', 'ü', '日', '☕', '\ud83c'))
    .map((parts) => parts.join('')),
)

function outcome(encode: () => string | undefined): string | undefined {
  try {
    return encode()
  } catch (error) {
    return String(error)
  }
}

describe('encodeForm', () => {
  test('[S4-04] encodes as the plain way does, or leaves it to that', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(texts, texts), { maxLength: 8 }), (pairs) => {
        const encoded = encodeForm(pairs)
        if (encoded !== undefined) expect(encoded).toBe(outcome(() => plainForm(pairs)))
      }),
      { numRuns: 5000 },
    )
  })

  test.each<readonly [pairs: readonly Pair[], form: string]>([
    [[], ''],
    [[['', '']], '='],
    [[['order_desc', 'Tea & "biscuits" + milk']], 'order_desc=Tea%20%26%20%22biscuits%22%20%2B%20milk'],
    [
      [
        ["!'()*", '-._~aZ09'],
        ['city', 'Zürich ☕'],
      ],
      '%21%27%28%29%2A=-._~aZ09&city=Z%C3%BCrich%20%E2%98%95',
    ],
  ])('takes %j by itself', (pairs, form) => expect(encodeForm(pairs)).toBe(form))

  test.each(['\x1e', '\x1f', 'a\ud800', 'x'.repeat(8192), 'ü'.repeat(4096)])('leaves %j to the plain way', (text) => {
    expect(encodeForm([['a', text]])).toBeUndefined()
    expect(encodeForm([['b', 'c']])).toBe('b=c')
  })
})
