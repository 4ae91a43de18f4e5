import { webcrypto } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decrypt, encrypt } from '../../src/vault/aes-gcm.ts'
import { random } from './cards.ts'

const IV_BYTES = 12
const TAG_BYTES = 16

describe('encrypt', () => {
  test('gives the published result of test case 14 of the GCM specification (McGrew, Viega 2005)', () => {
    const sealing = { key: Buffer.alloc(32), associated: '' }
    const sealed = encrypt(Buffer.alloc(16), sealing, (target) => void target.fill(0))
    expect(Buffer.from(sealed).toString('hex')).toBe(
      `${'00'.repeat(IV_BYTES)}d0d1c8a799996bf0265b98b5d48ab919cea7403d4d606b6e074ec5d3baf39d18`,
    )
  })

  test('is read by another implementation, with the same associated text', async () => {
    await fc.assert(
      fc.asyncProperty(anyKey, anyPlain, anyAssociated, async (key, plain, associated) => {
        const sealed = Buffer.from(encrypt(plain, { key, associated }, random))
        const iv = sealed.subarray(0, IV_BYTES)
        const tag = sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES)
        const text = sealed.subarray(IV_BYTES + TAG_BYTES)
        const imported = await webcrypto.subtle.importKey('raw', Buffer.from(key), 'AES-GCM', false, ['decrypt'])
        const options = { name: 'AES-GCM', iv, additionalData: Buffer.from(associated) }
        const read = await webcrypto.subtle.decrypt(options, imported, Buffer.concat([text, tag]))
        expect(Buffer.from(read).equals(plain)).toBe(true)
      }),
    )
  })
})

describe('decrypt', () => {
  test('gives what was encrypted', () => {
    fc.assert(
      fc.property(anyKey, anyPlain, anyAssociated, (key, plain, associated) => {
        const sealed = encrypt(plain, { key, associated }, random)
        expect(decrypt(sealed, { key, associated })?.equals(plain)).toBe(true)
      }),
    )
  })

  test('gives nothing for another key, another associated text, or any other bytes', () => {
    const key = Buffer.alloc(32, 1)
    const sealed = encrypt(Buffer.from('text'), { key, associated: 'a' }, random)
    expect(decrypt(sealed, { key: Buffer.alloc(32, 2), associated: 'a' })).toBeUndefined()
    expect(decrypt(sealed, { key, associated: 'b' })).toBeUndefined()
    for (let length = 0; length < sealed.length; length++) {
      expect(decrypt(sealed.subarray(0, length), { key, associated: 'a' })).toBeUndefined()
    }
    expect(decrypt(Buffer.concat([sealed, Buffer.alloc(1)]), { key, associated: 'a' })).toBeUndefined()
  })
})

const anyKey = fc.uint8Array({ minLength: 32, maxLength: 32 })
const anyPlain = fc.uint8Array({ maxLength: 64 })
const anyAssociated = fc.string({ unit: 'binary' })
