import { describe, expect, test } from 'vitest'
import { percentEncode, SigningError } from '../src/index.ts'
import { catchSigningError } from './catch-signing-error.ts'

describe('SigningError', () => {
  test('is a TypeError with a literal code, because the caller passed something unusable', () => {
    const error = catchSigningError(() => percentEncode('\ud800'))
    expect(error).toBeInstanceOf(TypeError)
    expect(error).toBeInstanceOf(SigningError)
    expect(error.name).toBe('SigningError')
    expect(error.code).toBe('BAD_TEXT')
    expect(String(error)).toBe('SigningError: the text holds a lone surrogate, which has no UTF-8 form')
  })
})
