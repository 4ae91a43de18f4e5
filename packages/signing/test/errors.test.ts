import { describe, expect, test } from 'vitest'
import { CONTROL_CHARACTER } from '../src/errors.ts'
import { percentEncode, SigningError } from '../src/index.ts'
import { catchSigningError } from './catch-signing-error.ts'

describe('SigningError', () => {
  test('is a TypeError with a literal code, because the caller passed something unusable', () => {
    const error = catchSigningError(() => percentEncode('\ud800'))
    expect(error).toBeInstanceOf(TypeError)
    expect(error).toBeInstanceOf(SigningError)
    expect(error.name).toBe('SigningError')
    expect(error.code).toBe('BAD_TEXT')
    expect(error.url).toBe('https://tallystick.github.io/tallystick/errors/signing.html#bad_text')
    expect(String(error)).toBe('SigningError: the text holds a lone surrogate, which has no UTF-8 form')
  })
})

test("finds the control characters of Unicode's category Cc, and no other UTF-16 unit", () => {
  for (let unit = 0; unit <= 0xffff; unit++) {
    const character = String.fromCharCode(unit)
    if (CONTROL_CHARACTER.test(character) !== /\p{Cc}/u.test(character)) expect.fail(`U+${unit.toString(16)}`)
  }
  expect(CONTROL_CHARACTER.test('\0')).toBe(true)
})
