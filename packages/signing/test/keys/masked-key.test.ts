import { format, inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { hmacKey, rsaPrivateKey, rsaPublicKey, signControl } from '../../src/index.ts'
import { textOfFile } from '../../src/internal.ts'
import type { MaskedKey } from '../../src/keys/masked-key.ts'
import { catchSigningError } from '../catch-signing-error.ts'
import { privatePem, publicPem } from '../rsa-key-pair.ts'

const canary = 'canary-5Jt0Zq9w-never-print-me'

const keys: readonly (readonly [string, MaskedKey, string])[] = [
  ['HmacKey', hmacKey(canary), canary],
  ['RsaPrivateKey', rsaPrivateKey(privatePem), privatePem],
  ['RsaPublicKey', rsaPublicKey(publicPem), publicPem],
]

/** Whether any twelve characters in a row of a key's lines occur in a text. */
function leaks(text: string, material: string): boolean {
  const lines = material.split('\n').filter((line) => !line.startsWith('-----'))
  return lines.some((line) =>
    Array.from({ length: Math.max(0, line.length - 11) }, (_, at) => line.slice(at, at + 12)).some((piece) =>
      text.includes(piece),
    ),
  )
}

describe('a key', () => {
  test('is recognised by the leak detector of this file', () => {
    expect(leaks(`before ${canary} after`, canary)).toBe(true)
    expect(leaks(privatePem, privatePem)).toBe(true)
  })

  test.for(keys)('of class %s prints masked in every channel', ([name, key, material]) => {
    const channels = {
      // oxlint-disable-next-line typescript/restrict-template-expressions -- the channel under test
      template: `${key}`,
      toString: String(key),
      json: JSON.stringify(key),
      nestedJson: JSON.stringify({ deep: [key] }),
      inspect: inspect(key),
      showHidden: inspect(key, { showHidden: true, depth: 10, getters: true }),
      rawInspect: inspect(key, { showHidden: true, depth: 10, customInspect: false }),
      format: format('%s %o %O %j', key, key, key, key),
      clone: inspect(structuredClone(key), { showHidden: true, depth: 10 }),
      spread: inspect(Object.assign({}, key), { showHidden: true }),
      ownKeys: inspect(Reflect.ownKeys(key)),
      thrown: inspect(new Error('with a key', { cause: key }), { showHidden: true }),
    }
    const leaking = Object.entries(channels).filter(([, text]) => leaks(text, material))
    expect(leaking.map(([channel]) => channel)).toEqual([])
    expect(channels.template).toBe(`${name} [masked]`)
    expect(channels.json).toBe(`"${name} [masked]"`)
    expect(channels.inspect).toBe(`${name} [masked]`)
    expect(channels.ownKeys).toBe('[]')
  })

  test('is in no error that its import throws', () => {
    const damaged = privatePem.replace(/^.{64}$/m, (line) => line.slice(1))
    const errors = [
      [catchSigningError(() => rsaPrivateKey(damaged)), privatePem],
      [catchSigningError(() => rsaPublicKey(privatePem)), privatePem],
      [catchSigningError(() => rsaPrivateKey(canary)), canary],
      [catchSigningError(() => rsaPublicKey(`-----BEGIN ${canary.toUpperCase()}-----`)), canary.toUpperCase()],
      [catchSigningError(() => hmacKey(`${canary}\ud800`)), canary],
      [catchSigningError(() => signControl({ terms: ['\ud800'], key: canary })), canary],
    ] as const
    for (const [error, material] of errors) {
      expect(leaks(inspect(error, { showHidden: true, depth: 10 }), material)).toBe(false)
      expect(error.cause).toBeUndefined()
    }
  })
})

const TEXT = '{"a": "\u00e4\u20ac"}'
const little = new Uint8Array(Uint16Array.from(TEXT, (char) => char.charCodeAt(0)).buffer)
const big = little.map((_, at) => little[at ^ 1] ?? 0)

test.for<readonly [string, Uint8Array]>([
  ['UTF-8', new TextEncoder().encode(TEXT)],
  ['UTF-8 with its mark', new TextEncoder().encode(`\uFEFF${TEXT}`)],
  ['UTF-16 of PowerShell', Uint8Array.of(0xff, 0xfe, ...little)],
  ['UTF-16 without a mark', little],
  ['UTF-16, big end first', Uint8Array.of(0xfe, 0xff, ...big)],
  ['UTF-16, big end first, without a mark', big],
])('[F-C9] a file in %s is read as its text', ([, bytes]) => {
  expect(textOfFile(bytes)).toBe(TEXT)
})

test.for([[], [0x61], [0]])('a file of %j is read as it is', (bytes) => {
  expect(textOfFile(Uint8Array.from(bytes))).toBe(String.fromCharCode(...bytes))
})
