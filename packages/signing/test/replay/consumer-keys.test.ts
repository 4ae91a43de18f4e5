import { describe, expect, test } from 'vitest'
import { consumerKeys, type HalfSipKey, TextHash } from '../../src/replay/consumer-keys.ts'
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

const key: HalfSipKey = [0x03020100, 0x07060504]

describe('TextHash', () => {
  /** From vectors.h of the reference implementation: bytes 0, 1, 2... under the key 0 to 7. */
  test.for([
    [0, '218d1f59b9b83cc8'],
    [1, 'be552412f8387315'],
    [2, '064f39ef7c50eb57'],
    [3, 'ce0f1a45f7060679'],
    [4, 'd5e78a175be52ea1'],
    [5, 'cb9d7c3f2f3db580'],
    [6, 'ce3e91358aa2bc25'],
    [7, 'ff202728b07bc684'],
    [8, 'edfee820bce4858c'],
    [12, '7bc71f9faef5c799'],
    [31, '863c7f155c34117c'],
    [62, 'f90b3ab572d46693'],
    [63, '2ea63c71bf326087'],
  ] as const)('gives 53 bits of the published HalfSipHash-2-4 of %i bytes', ([length, published]) => {
    const text = Buffer.from(Array.from({ length }, (_, at) => at)).toString('latin1')
    const bytes = Buffer.from(published, 'hex')
    const expected = (bytes.readUInt32LE(0) & 0x1fffff) * 2 ** 32 + bytes.readUInt32LE(4)
    expect(new TextHash().of(text, key)).toBe(expected)
  })

  test('is not affected by an earlier text', () => {
    const hash = new TextHash()
    hash.of('~'.repeat(300), key)
    // The published hash of no bytes, as above.
    expect(hash.of('', key)).toBe((0x591f8d21 & 0x1fffff) * 2 ** 32 + 0xc83cb8b9)
  })

  test('reads a text of any length up to its last character', () => {
    const hash = new TextHash()
    const ends = ['a', 'b', 'é', '€', '😀']
    const hashes = [0, 1, 127, 128, 400, 10_000].flatMap((length) => {
      return ends.map((end) => hash.of('€'.repeat(length) + end, key))
    })
    expect(new Set(hashes).size).toBe(hashes.length)
    expect(ends.map((end) => new TextHash().of(end, key))).toEqual(hashes.slice(0, ends.length))
  })

  test('returns other numbers under another key', () => {
    const hash = new TextHash()
    expect(new Set([hash.of('nonce', [0, 0]), hash.of('nonce', [0, 1]), hash.of('nonce', [1, 0])]).size).toBe(3)
  })
})
