import { describe, expect, test } from 'vitest'
import { consumerKeys, TextHash } from '../../src/replay/consumer-keys.ts'
import { catchSigningError } from '../catch-signing-error.ts'

const secret = Uint8Array.of(0, 1, 2, 3, 4, 5, 6, 7)
const keysOf = (bytes: Uint8Array) => consumerKeys(bytes, new TextHash())

describe('consumerKeys', () => {
  /** The bytes 0, 1, 2 of vectors.h of the reference implementation: ce0f1a45f7060679. */
  test('begin with the published hash under the secret', () => {
    expect(keysOf(secret)('\x01\x02')[0]).toBe(0x790606f7)
    expect(keysOf(Uint8Array.of(9, ...secret).subarray(1))('\x01\x02')[0]).toBe(0x790606f7)
  })

  test('differ in both words between consumers and between secrets', () => {
    const words = [secret, secret.toReversed()].flatMap((bytes) => ['a', 'b', ''].flatMap(keysOf(bytes)))
    expect(new Set(words).size).toBe(12)
  })

  test('are computed once for each consumer, and are the same under the same secret', () => {
    const keyOf = keysOf(secret)
    expect(keyOf('a')).toBe(keyOf('a'))
    expect(keysOf(secret)('a')).toEqual(keyOf('a'))
  })

  test.for([
    ['too short', secret.slice(1)],
    ['too long', new Uint8Array(9)],
    ['a text', 'secretss' as unknown as Uint8Array],
  ] as const)('refuse a secret that is %s', ([, bytes]) => {
    const error = catchSigningError(() => keysOf(bytes))
    expect(error.code).toBe('BAD_ARGUMENT')
    expect(error.message).toMatch(/must be 8 bytes: take randomBytes\(8\)/)
  })
})
