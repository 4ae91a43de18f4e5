import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { signControl, verifyControl } from '../../src/index.ts'
import { anyText } from '../any-text.ts'
import { catchSigningError } from '../catch-signing-error.ts'

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
