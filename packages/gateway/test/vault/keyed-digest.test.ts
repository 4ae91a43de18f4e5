import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { keyedDigest } from '../../src/vault/aes-gcm.ts'

describe('keyedDigest', () => {
  test.for([
    ['1', Buffer.alloc(20, 0x0b), 'Hi There', 'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7'],
    [
      '2',
      Buffer.from('Jefe'),
      'what do ya want for nothing?',
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    ],
  ] as const)('gives the published result of RFC 4231 test case %s', ([, key, text, published]) => {
    expect(keyedDigest(key)(text)).toBe(published)
  })

  test('is what createHmac computes', () => {
    const key = fc.uint8Array({ maxLength: 64 })
    fc.assert(
      fc.property(key, fc.string({ unit: 'binary', maxLength: 2000 }), (bytes, text) => {
        expect(keyedDigest(bytes)(text)).toBe(createHmac('sha256', bytes).update(text).digest('hex'))
      }),
    )
  })

  test('does not keep the key that it was given', () => {
    const key = Buffer.from('Jefe')
    const digest = keyedDigest(key)
    const before = digest('text')
    key.fill(0)
    expect(digest('text')).toBe(before)
  })
})
