import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { signControl, verifyControl } from '../../src/index.ts'
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

const terms = ['approved', '_', '_']
const key = 'key'
const control = '2c84ae87d73fa3dc116b3203e8bb1c133eed829d'

const malformed = { ok: false, reason: 'malformed-control', message: 'the control is not 40 hexadecimal digits' }

describe('verifyControl', () => {
  test('[S5.1-01] accepts the published control', () => {
    expect(verifyControl({ terms, key, control })).toEqual({ ok: true })
  })

  test('[G7.1-01] accepts upper-case and mixed-case digits', () => {
    expect(verifyControl({ terms, key, control: control.toUpperCase() })).toEqual({ ok: true })
    expect(verifyControl({ terms, key, control: `2C84${control.slice(4)}` })).toEqual({ ok: true })
  })

  test.for([
    ['nothing', ''],
    ['one digit too few', control.slice(1)],
    ['one digit too many', `${control}0`],
    ['twice the digest', control + control],
    ['a letter that is no digit', `g${control.slice(1)}`],
    ['white space around it', ` ${control.slice(1)}`],
    ['a line feed after it', `${control}\n`],
    ['full-width digits', '１'.repeat(40)],
    ['a very long text', 'a'.repeat(1_000_000)],
  ] as const)('[G7.1-01] refuses %s as malformed, without throwing', ([, received]) => {
    expect(verifyControl({ terms, key, control: received })).toEqual(malformed)
  })

  test.for([
    ['absent', undefined],
    ['in a list, as some form parsers read a repeated name', [control]],
  ] as const)('refuses a control that is %s', ([, received]) => {
    expect(verifyControl({ terms, key, control: received as unknown as string })).toEqual(malformed)
  })

  test('[S5.1-01] refuses a control of other terms or of another key', () => {
    const refusal = {
      ok: false,
      reason: 'wrong-control',
      message: 'the control does not fit the terms and the key',
    }
    expect(verifyControl({ terms: ['declined', '_', '_'], key, control })).toEqual(refusal)
    expect(verifyControl({ terms, key: 'Key', control })).toEqual(refusal)
  })

  test('refuses terms without a UTF-8 form as a value', () => {
    expect(verifyControl({ terms: ['\ud800'], key, control })).toEqual({
      ok: false,
      reason: 'malformed-terms',
      message: 'a signed field holds a lone surrogate, which has no UTF-8 form',
    })
  })

  test('refuses an empty key, even for a malformed control', () => {
    expect(catchSigningError(() => verifyControl({ terms, key: '', control: '' })).code).toBe('BAD_KEY')
  })

  test('[S5.1-01] accepts what signControl made, and nothing that differs from it in one digit', () => {
    const signed = fc.record({ terms: fc.array(anyText()), key: anyText().map((text) => `${text}k`) })
    fc.assert(
      fc.property(signed, fc.nat({ max: 39 }), fc.integer({ min: 1, max: 15 }), (input, at, shift) => {
        const made = signControl(input)
        const digit = ((Number.parseInt(made.charAt(at), 16) + shift) % 16).toString(16)
        expect(verifyControl({ ...input, control: made })).toEqual({ ok: true })
        expect(verifyControl({ ...input, control: made.slice(0, at) + digit + made.slice(at + 1) })).toMatchObject({
          reason: 'wrong-control',
        })
      }),
    )
  })
})
