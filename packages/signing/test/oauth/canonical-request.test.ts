import { describe, expect, test } from 'vitest'
import type { OAuthHeader } from '../../src/index.ts'
import { canonicalBaseString } from '../../src/oauth/fast-base-string.ts'
import { percentEncode } from '../../src/oauth/percent.ts'
import { releaseScratch } from '../../src/oauth/scratch-buffer.ts'
import { textOf } from './base-string-text.ts'

const BEGINNING = 'POST&https%3A%2F%2Fa.example%2F&'
const HEADER: OAuthHeader = {
  consumerKey: 'shop',
  nonce: 'n-1',
  signatureMethod: 'HMAC-SHA1',
  timestamp: '1700000000',
  version: '1.0',
  signature: '',
}
const PAIRS =
  'oauth_consumer_key=shop&oauth_nonce=n-1&oauth_signature_method=HMAC-SHA1&oauth_timestamp=1700000000&oauth_version=1.0'
const WITHOUT_VERSION = PAIRS.replace('&oauth_version=1.0', '')

/** The base string, or `undefined` if the body is left to the plain path. */
function read(body: string, changes: Partial<OAuthHeader> = {}): string | undefined {
  const baseString = canonicalBaseString(Buffer.from(BEGINNING), body, { ...HEADER, ...changes })
  if (baseString === undefined) return undefined
  const text = textOf(baseString)
  releaseScratch(baseString)
  return text
}

describe('canonicalBaseString', () => {
  test.for([
    ['the pairs alone', PAIRS, {}],
    ['fields before the pairs', `amount=1&${PAIRS}`, {}],
    ['fields after the pairs', `${PAIRS}&state=WA`, {}],
    ['fields on both sides', `amount=1&city=Z%C3%BCrich&${PAIRS}&state=WA`, {}],
    ['no version', `amount=1&${WITHOUT_VERSION}&state=WA`, { version: undefined }],
    [
      'values that have to be encoded',
      PAIRS.replace('=shop', '=a%20shop').replace('=n-1', '=n%2B1%2F'),
      { consumerKey: 'a shop', nonce: 'n+1/' },
    ],
  ] as const)('takes a body as it is with %s', ([, body, changes]) => {
    expect(read(body, changes)).toBe(BEGINNING + percentEncode(body))
  })

  test.for([
    ['no pairs', 'amount=1', {}],
    ['nothing in it', '', {}],
    ['a name that ends like the first one', `a${PAIRS}`, {}],
    ['a value that is longer than the one in the header', `${PAIRS}1`, {}],
    ['a name of the protocol before the pairs', `oauth_a=1&${PAIRS}`, {}],
    ['a name of the protocol after the pairs', `${PAIRS}&oauth_w=1`, {}],
    ['a value that looks like a name of the protocol', `a=oauth_&${PAIRS}`, {}],
    ['a version that the header does not have', PAIRS, { version: undefined }],
    ['no version if the header has one', WITHOUT_VERSION, {}],
    ['another merchant', PAIRS, { consumerKey: 'shops' }],
    ['another nonce', PAIRS, { nonce: 'n-2' }],
    ['another method', PAIRS, { signatureMethod: 'RSA-SHA256' }],
    ['another time', PAIRS, { timestamp: '1700000001' }],
    ['names out of order', `state=WA&${PAIRS}`, {}],
  ] as const)('leaves a body to the plain path with %s', ([, body, changes]) => {
    expect(read(body, changes)).toBeUndefined()
  })
})
