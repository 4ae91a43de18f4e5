import type { Pair } from '@tallystick/core'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { encodeForm as encodeBy } from '../../src/codec/encode-form.ts'
import { plainForm } from '../../src/codec/form.ts'

const texts = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc
    .array(fc.constantFrom('a', ' ', '&', '=', '%', "!'()*", '~', '-', '\x1e', '\x1f', '\0', 'ü', '日', '☕', '\ud83c'))
    .map((parts) => parts.join('')),
)

const encodeForm = (pairs: readonly Pair[]) => encodeBy((write) => pairs.every(([name, value]) => write(name, value)))

function outcome(encode: () => string | undefined): string | undefined {
  try {
    return encode()
  } catch (error) {
    return String(error)
  }
}

describe('encodeForm', () => {
  test('[S4-04] encodes as the plain encoder does', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(texts, texts), { maxLength: 8 }), (pairs) => {
        expect(outcome(() => encodeForm(pairs))).toBe(outcome(() => plainForm(pairs)))
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
  ])('encodes %j itself', (pairs, form) => expect(encodeForm(pairs)).toBe(form))

  test.each(['x', 'ü', '日', '%'])(
    'encodes 4096 characters of %s, including separators, and leaves more to the plain encoder',
    (character) => {
      const most: readonly Pair[] = [['a', character.repeat(4093)]]
      expect(encodeForm(most)).toBe(plainForm(most))
      expect(encodeForm([['a', character.repeat(4094)]])).toBeUndefined()
    },
  )

  test('refuses half of a surrogate pair as the plain encoder does, and goes on with the next form', () => {
    const pairs: readonly Pair[] = [['a', 'b\ud800']]
    expect(() => encodeForm(pairs)).toThrow(URIError)
    expect(() => plainForm(pairs)).toThrow(URIError)
    expect(encodeForm([['b', 'c']])).toBe('b=c')
  })

  test('leaves a form to the plain encoder while another one is being written', () => {
    const inner: (string | undefined)[] = []
    const outer = encodeBy((write) => {
      const isWritten = write('a', 'b')
      inner.push(encodeForm([['c', 'd']]))
      return isWritten && write('e', 'f')
    })
    expect([outer, ...inner]).toEqual(['a=b&e=f', undefined])
    expect(encodeForm([['c', 'd']])).toBe('c=d')
  })

  describe('leaves no card data in its buffer', () => {
    const card: readonly Pair[] = [['credit_card_number', '4444555566661111']]

    /** The bytes of all forms, as the decoder gets them. */
    function bytesOfForms(): Uint8Array {
      const decode = vi.spyOn(TextDecoder.prototype, 'decode')
      onTestFinished(() => decode.mockRestore())
      encodeForm(card)
      const [written] = decode.mock.calls[0] ?? []
      return new Uint8Array((written as Uint8Array).buffer)
    }

    test('when a form is written', () => {
      const bytes = bytesOfForms()
      encodeForm([...card, ['card_printed_name', 'JOSÉ'], ['cvv2', '123']])
      expect(bytes.every((byte) => byte === 0)).toBe(true)
    })

    test('when a later text cannot be encoded', () => {
      const bytes = bytesOfForms()
      expect(() => encodeForm([...card, ['order_desc', 'of 4444555566661111\ud800']])).toThrow(URIError)
      expect(bytes.every((byte) => byte === 0)).toBe(true)
    })
  })
})
