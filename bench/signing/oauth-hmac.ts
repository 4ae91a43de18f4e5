import assert from 'node:assert/strict'
import { createHmac, createSecretKey } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import {
  decodeParameters,
  hmacKey,
  normalizeParameters,
  parseAuthorizationHeader,
  signatureBaseString,
  signOAuth,
  verifyOAuth,
} from '../../packages/signing/src/index.ts'
import { consumerKey, nonce, payout, secret, timestamp, url } from './payout.ts'
import { timeEach } from './ratio.ts'
import { printTable } from './table.ts'

/** Measures OAuth HMAC-SHA1 of a payout with 25 fields, against a bare createHmac of the ready base string. */

const method = 'HMAC-SHA1'
const key = hmacKey(secret)
const bareKey = createSecretKey(`${secret}&`, 'utf8')
const input = { method, key, httpMethod: 'POST', url, consumerKey, nonce, timestamp } as const

const { authorization, body } = signOAuth({ ...input, parameters: payout })
const sent = decodeParameters(body)
const baseString = signatureBaseString({ httpMethod: 'POST', url, parameters: sent })
const signature = createHmac('sha1', bareKey).update(baseString).digest('base64')
assert.ok(authorization.includes(encodeURIComponent(signature)))

/** Signs, from pairs to header and body. */
const sign = () => signOAuth({ ...input, parameters: payout })
assert.deepEqual(sign(), { authorization, body })
assert.equal(body, normalizeParameters(sent))
assert.equal(sent.length, payout.length + 5)
for (const pair of payout) assert.ok(sent.some((other) => isDeepStrictEqual(pair, other)))

/** The body as a server has it: the text of the bytes from the wire. */
const received = Buffer.from(body).toString('latin1')

/** Verifies, from the raw header and the raw body. */
function verify(): boolean {
  const parsed = parseAuthorizationHeader(authorization)
  if (!parsed.ok) return false
  const { header } = parsed
  return verifyOAuth({ method, key, httpMethod: 'POST', url, header, body: received, now: timestamp }).ok
}
/** The same, and reads the fields of the body. */
const verifyAndRead = () => verify() && decodeParameters(received)
assert.equal(verify(), true)
assert.deepEqual(new Map(verifyAndRead() || []), new Map(sent))

const times = timeEach({
  bare: () => createHmac('sha1', bareKey).update(baseString).digest('base64'),
  sign,
  verify,
  verifyAndRead,
})
printTable('OAuth HMAC-SHA1, 25 fields, against a bare createHmac of the ready base string', [
  { what: 'bare createHmac', figure: times.bare, unit: 'us' },
  { what: 'sign, pairs to header and body', figure: times.sign / times.bare, unit: 'times', goal: 'at most 3' },
  { what: 'verify, header and body to verdict', figure: times.verify / times.bare, unit: 'times', goal: 'at most 2.5' },
  {
    what: 'verify, header and body to fields',
    figure: times.verifyAndRead / times.bare,
    unit: 'times',
    goal: 'at most 5',
  },
])
