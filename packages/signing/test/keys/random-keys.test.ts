import { expect, test } from 'vitest'
import { keyBits } from '../../src/internal.ts'

/** Bytes of a seed: xorshift128, as Marsaglia published it. */
function seededBytes() {
  let [x, y, z, w] = [123_456_789, 362_436_069, 521_288_629, 88_675_123]
  const next = () => {
    const t = x ^ (x << 11)
    ;[x, y, z] = [y, z, w]
    w = w ^ (w >>> 19) ^ (t ^ (t >>> 8))
    return w & 0xff
  }
  return (length: number) => Buffer.from(Array.from({ length }, next))
}
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const base32 = (bytes: Buffer) => [...bytes].map((byte) => BASE32[byte & 31]).join('')

test.for([
  ['32 hexadecimal digits', 16, (bytes: Buffer) => bytes.toString('hex')],
  ['22 characters of base64', 16, (bytes: Buffer) => bytes.toString('base64').slice(0, 22)],
  ['24 characters of base64', 16, (bytes: Buffer) => bytes.toString('base64')],
  ['22 characters of base64url', 16, (bytes: Buffer) => bytes.toString('base64url')],
  ['26 characters of base32', 26, base32],
  ['26 characters of base32 in small letters', 26, (bytes: Buffer) => base32(bytes).toLowerCase()],
] as const)(
  'none of 100 000 random keys is mistaken for a guessable one: %s',
  { timeout: 60_000 },
  ([, length, write]) => {
    const bytes = seededBytes()
    const refused: string[] = []
    for (let keys = 0; keys < 100_000; keys++) {
      const key = write(bytes(length))
      if (keyBits(key) < 128) refused.push(key)
    }
    expect(refused).toEqual([])
  },
)
