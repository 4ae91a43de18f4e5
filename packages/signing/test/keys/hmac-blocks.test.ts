import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { HMAC_BLOCK_BYTES, hmacBlocks, hmacSha1 } from '../../src/keys/hmac-key.ts'
import { anyText } from '../any-text.ts'

/** The MAC of a text that is written after the room that the key needs, with other bytes behind it. */
function macOf(key: string, text: string): string {
  const bytes = Buffer.concat([Buffer.alloc(HMAC_BLOCK_BYTES), Buffer.from(text), Buffer.from('more')])
  return hmacSha1(hmacBlocks(key), bytes, bytes.length - 'more'.length)
}

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

  test('is what createHmac computes for keys shorter and longer than a block', () => {
    const ascii = fc.string({ unit: 'binary-ascii', maxLength: 300 })
    fc.assert(
      fc.property(
        fc.oneof(
          anyText(5),
          anyText(5).map((text) => text.padEnd(65, '-')),
        ),
        ascii,
        (key, text) => {
          expect(macOf(key, text)).toBe(createHmac('sha1', key).update(text).digest('base64'))
        },
      ),
    )
  })
})
