import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hmacBlocks, hmacSha1 } from '../../src/keys/hmac-blocks.ts'
import { anyText } from '../any-text.ts'

describe('hmacSha1', () => {
  /** RFC 2202 section 3, test case 2. */
  test.for([['Jefe', 'what do ya want for nothing?', 'effcdf6ae5eb2fa2d27416d5f184df9c259a7c79']] as const)(
    'gives the published result for the key %s',
    ([key, text, published]) => {
      expect(Buffer.from(hmacSha1(hmacBlocks(key), Buffer.from(text)), 'base64').toString('hex')).toBe(published)
    },
  )

  test('is what createHmac computes, for keys shorter and longer than a block', () => {
    const ascii = fc.string({ unit: 'binary-ascii', maxLength: 300 })
    fc.assert(
      fc.property(
        fc.oneof(
          anyText(5),
          anyText(5).map((text) => text.padEnd(65, '-')),
        ),
        ascii,
        (key, text) => {
          expect(hmacSha1(hmacBlocks(key), Buffer.from(text))).toBe(
            createHmac('sha1', key).update(text).digest('base64'),
          )
        },
      ),
    )
  })
})
