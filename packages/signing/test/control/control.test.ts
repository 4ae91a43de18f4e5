import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { signControl } from '../../src/index.ts'
import { anyText } from '../any-text.ts'
import { catchSigningError } from '../catch-signing-error.ts'
import { type ControlVector, controlVectors } from '../vectors.ts'

/** The vectors give amounts in major units, and the control holds them in cents. */
function termsOf({ fields }: ControlVector): string[] {
  return Object.entries(fields).map(([name, value]) =>
    name === 'amount' ? value.replace('.', '').replace(/^0+/, '') : value,
  )
}

describe('signControl', () => {
  test.for(controlVectors)('[S5.1-01] [G7.1-01] reproduces the published control of $operation ($id)', (vector) => {
    expect(termsOf(vector).join('') + vector.key).toBe(vector.string)
    expect(signControl({ terms: termsOf(vector), key: vector.key })).toBe(vector.control)
  })

  test('[S5.1-03] [G7.1-04] counts an absent orderid as an empty term', () => {
    const key = 'D5F82EC1-8575-4482-AD89-97X6X0X20X22'
    expect(signControl({ terms: ['test-login', 'CLIENT-112233', ''], key })).toBe(
      'bcaf34dae08a70997c4d5a01032e68a620632883',
    )
  })

  test('[G7.1-01] hashes the UTF-8 bytes of the text', () => {
    // printf 'é€😀key' | sha1sum
    expect(signControl({ terms: ['é', '€', '😀'], key: 'key' })).toBe('66f6fd1cb6d7a0b734f77a4c5f4ee24f9ef12881')
  })

  test('[G7.1-04] neither trims a term nor changes its case', () => {
    const digests = ['a@b.c', 'A@b.c', ' a@b.c', 'a@b.c '].map((email) => signControl({ terms: [email], key: 'key' }))
    expect(new Set(digests).size).toBe(4)
  })

  test('[S5.1-01] is the SHA-1 that node:crypto computes of the terms and the key, for any terms', () => {
    fc.assert(
      fc.property(
        fc.array(anyText()),
        anyText().map((text) => `${text}k`),
        (terms, key) => {
          const digest = createHash('sha1')
          for (const term of terms) digest.update(term, 'utf8')
          expect(signControl({ terms, key })).toBe(digest.update(key, 'utf8').digest('hex'))
        },
      ),
    )
  })

  test('[S5.1-02] returns 40 hexadecimal digits, which do not show the control key', () => {
    expect(signControl({ terms: ['a'], key: 'secret' })).toMatch(/^[0-9a-f]{40}$/)
  })

  test('refuses an empty key', () => {
    const error = catchSigningError(() => signControl({ terms: ['a'], key: '' }))
    expect(error.code).toBe('BAD_KEY')
    expect(error.message).toMatch(/control key is empty/)
  })

  test('refuses a key that is not a text', () => {
    expect(catchSigningError(() => signControl({ terms: ['a'], key: 1 as unknown as string })).code).toBe('BAD_KEY')
  })

  test('refuses what a secret prints as a key', () => {
    expect(() => signControl({ terms: ['a'], key: '[secret]' })).toThrow('reveal()')
  })

  test('refuses a term that is not a text instead of signing it as an empty one', () => {
    const terms = ['a', undefined] as unknown as string[]
    const error = catchSigningError(() => signControl({ terms, key: 'key' }))
    expect(error.code).toBe('BAD_ARGUMENT')
    expect(error.message).toMatch(/an absent term is ''/)
  })

  test('refuses a lone surrogate, which has no UTF-8 form', () => {
    const error = catchSigningError(() => signControl({ terms: ['\ud800'], key: 'key' }))
    expect(error.code).toBe('BAD_TEXT')
    expect(error.message).toMatch(/the terms hold a lone surrogate/)
  })
})
