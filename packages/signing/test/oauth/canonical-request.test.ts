import { describe, expect, test } from 'vitest'
import type { OAuthHeader } from '../../src/index.ts'
import { canonicalBaseString } from '../../src/oauth/canonical-request.ts'
import { returnBytes } from '../../src/oauth/lent-bytes.ts'
import { percentEncode } from '../../src/oauth/percent-encode.ts'
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

/** The base string; `undefined` where the body goes the plain way. */
function read(body: string, changes: Partial<OAuthHeader> = {}): string | undefined {
  const baseString = canonicalBaseString(Buffer.from(BEGINNING), body, { ...HEADER, ...changes })
  if (baseString === undefined) return undefined
  const text = textOf(baseString)
  returnBytes(baseString)
  return text
}

describe('a body that is the parameter string', () => {
  test.for([
    ['the pairs alone', PAIRS, {}],
    ['fields before them', `amount=1&${PAIRS}`, {}],
    ['fields behind them', `${PAIRS}&state=WA`, {}],
    ['fields on both sides', `amount=1&city=Z%C3%BCrich&${PAIRS}&state=WA`, {}],
    ['no version', `amount=1&${WITHOUT_VERSION}&state=WA`, { version: undefined }],
    [
      'what has to be encoded',
      PAIRS.replace('=shop', '=a%20shop').replace('=n-1', '=n%2B1%2F'),
      { consumerKey: 'a shop', nonce: 'n+1/' },
    ],
  ] as const)('is taken as it is: %s', ([, body, changes]) => {
    expect(read(body, changes)).toBe(BEGINNING + percentEncode(body))
  })

  test.for([
    ['no pairs', 'amount=1', {}],
    ['nothing', '', {}],
    ['a name that ends like the first', `a${PAIRS}`, {}],
    ['a value that goes on', `${PAIRS}1`, {}],
    ['a name of the protocol before them', `oauth_a=1&${PAIRS}`, {}],
    ['a name of the protocol behind them', `${PAIRS}&oauth_w=1`, {}],
    ['a value that looks like a name of the protocol', `a=oauth_&${PAIRS}`, {}],
    ['a version that the header has not', PAIRS, { version: undefined }],
    ['no version where the header has one', WITHOUT_VERSION, {}],
    ['another merchant', PAIRS, { consumerKey: 'shops' }],
    ['another nonce', PAIRS, { nonce: 'n-2' }],
    ['another method', PAIRS, { signatureMethod: 'RSA-SHA256' }],
    ['another time', PAIRS, { timestamp: '1700000001' }],
    ['names out of order', `state=WA&${PAIRS}`, {}],
  ] as const)('goes the plain way with %s', ([, body, changes]) => {
    expect(read(body, changes)).toBeUndefined()
  })
})
