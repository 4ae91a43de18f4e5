import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { percentEncode } from '../../src/index.ts'
import { anyText } from '../any-text.ts'
import { catchSigningError } from '../catch-signing-error.ts'

const UNRESERVED = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~'

/** RFC 3986 section 2.1, byte by byte: the slow and obvious way. */
function reference(text: string): string {
  return Array.from(new TextEncoder().encode(text), (byte) => {
    const character = String.fromCharCode(byte)
    return UNRESERVED.includes(character) ? character : `%${byte.toString(16).padStart(2, '0').toUpperCase()}`
  }).join('')
}

describe('percentEncode', () => {
  test.for([
    ['', ''],
    [UNRESERVED, UNRESERVED],
    [' ', '%20'],
    ['+', '%2B'],
    ['%', '%25'],
    ['=%3D', '%3D%253D'],
    ['&', '%26'],
    ["!*'()", '%21%2A%27%28%29'],
    [':/?#[]@$,;', '%3A%2F%3F%23%5B%5D%40%24%2C%3B'],
    ['\n', '%0A'],
    ['\0', '%00'],
    ['é', '%C3%A9'],
    ['€', '%E2%82%AC'],
    ['😀', '%F0%9F%98%80'],
    // RFC 5849 section 3.4.1.3.2, the value of c@ and the name itself.
    ['c@', 'c%40'],
    ['r b', 'r%20b'],
  ] as const)('[S5.2-11] [S5.2-21] [G7.2-03] encodes %j as %s', ([text, encoded]) => {
    expect(percentEncode(text)).toBe(encoded)
  })

  test('[S5.2-11] equals an encoder that goes byte by byte, for any text', () => {
    fc.assert(
      fc.property(anyText(), (value) => {
        expect(percentEncode(value)).toBe(reference(value))
      }),
      { numRuns: 1000 },
    )
  })

  test.for(['\ud800', '\udc00', 'a\ud83d', '\ude00\ud83d'])('refuses the lone surrogate in %j', (text) => {
    expect(catchSigningError(() => percentEncode(text)).code).toBe('BAD_TEXT')
  })

  test.for<unknown>([undefined, null, 1, {}])('refuses %j, which is not a text', (value) => {
    expect(catchSigningError(() => percentEncode(value as string)).code).toBe('BAD_ARGUMENT')
  })
})
