import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { normalizeParameters, type Parameter, percentEncode } from '../../src/index.ts'
import { encodeTwice } from '../../src/oauth/encode-twice.ts'
import { parameterStrings } from '../../src/oauth/parameter-strings.ts'
import { anyText } from '../any-text.ts'
import { catchSigningError } from '../catch-signing-error.ts'

describe('the fast path of encoding', () => {
  test('encodes any text as the plain one does, once and twice', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        const once = percentEncode(text)
        expect(encodeTwice(text)).toEqual({ once, twice: percentEncode(once) })
      }),
    )
  })

  test('encodes every ASCII character as the plain one does', () => {
    for (let code = 0; code < 128; code++) {
      const text = `a${String.fromCharCode(code)}b`
      expect(encodeTwice(text).once).toBe(percentEncode(text))
    }
  })

  test('refuses what the plain one refuses', () => {
    expect(catchSigningError(() => encodeTwice('a\ud800')).code).toBe('BAD_TEXT')
    expect(catchSigningError(() => encodeTwice(1 as unknown as string)).code).toBe('BAD_ARGUMENT')
  })

  test('writes any parameters as the plain one does, and leaves the signature out', () => {
    const name = fc.oneof(anyText(6), fc.constantFrom('a', 'b', 'a b', 'A', '', '~', 'é', 'oauth_signature'))
    fc.assert(
      fc.property(fc.array(fc.tuple(name, anyText(6))), (parameters: Parameter[]) => {
        const once = normalizeParameters(parameters.filter(([spelled]) => spelled !== 'oauth_signature'))
        expect(parameterStrings(parameters)).toEqual({ once, twice: percentEncode(once) })
      }),
    )
  })
})
