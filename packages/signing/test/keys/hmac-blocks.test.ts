import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hmacBlocks, hmacSha1 } from '../../src/keys/hmac-key.ts'

const macOf = (key: string, text: string) => hmacSha1(hmacBlocks(key), text)

describe('hmacSha1', () => {
  /** RFC 2202 section 3, test case 2. */
  test.for([['Jefe', 'what do ya want for nothing?', 'effcdf6ae5eb2fa2d27416d5f184df9c259a7c79']] as const)(
    'gives the published result for the key %s',
    ([key, text, published]) => {
      expect(Buffer.from(macOf(key, text), 'base64').toString('hex')).toBe(published)
    },
  )

  test.for([63, 64, 65])('is what createHmac computes for a key of %i bytes, with blocks of 64', (length) => {
    const key = 'k'.repeat(length)
    expect(macOf(key, 'text')).toBe(createHmac('sha1', key).update('text').digest('base64'))
  })

  test('is what createHmac computes for keys of ASCII shorter and longer than a block', () => {
    const ascii = (maxLength: number) => fc.string({ unit: 'binary-ascii', maxLength })
    fc.assert(
      fc.property(fc.oneof(ascii(5), ascii(130)), ascii(300), (key, text) => {
        expect(macOf(key, text)).toBe(createHmac('sha1', key).update(text).digest('base64'))
      }),
    )
  })
})
