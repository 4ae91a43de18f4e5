import assert from 'node:assert/strict'
import { constants, generateKeyPairSync, sign, verify } from 'node:crypto'
import {
  decodeParameters,
  parseAuthorizationHeader,
  rsaPrivateKey,
  rsaPublicKey,
  signatureBaseString,
  signOAuth,
  signOAuthAsync,
  verifyOAuth,
} from '../../packages/signing/src/index.ts'
import { consumerKey, nonce, payout, timestamp, url } from './payout.ts'
import { timeEach } from './ratio.ts'
import { printTable } from './table.ts'

/** Measures OAuth RSA-SHA256 of a payout with 25 fields, against the bare calls with a ready KeyObject. */

const method = 'RSA-SHA256'
const pair = generateKeyPairSync('rsa', { modulusLength: 2048 })
const privateKey = rsaPrivateKey(pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString())
const publicKey = rsaPublicKey(pair.publicKey.export({ type: 'spki', format: 'pem' }).toString())
const input = {
  method,
  key: privateKey,
  httpMethod: 'POST',
  url,
  parameters: payout,
  consumerKey,
  nonce,
  timestamp,
} as const

const { authorization, body } = signOAuth(input)
const baseString = Buffer.from(signatureBaseString({ httpMethod: 'POST', url, parameters: decodeParameters(body) }))
const padding = constants.RSA_PKCS1_PADDING
const signature = sign('sha256', baseString, { key: pair.privateKey, padding })

/** The body as a server has it: the text of the bytes from the wire. */
const received = Buffer.from(body).toString('latin1')

/** Verifies, from the raw header and the raw body. */
function verifyAll(): boolean {
  const parsed = parseAuthorizationHeader(authorization)
  if (!parsed.ok) return false
  const { header } = parsed
  return verifyOAuth({ method, key: publicKey, httpMethod: 'POST', url, header, body: received, now: timestamp }).ok
}
assert.ok(authorization.includes(encodeURIComponent(signature.toString('base64'))))
assert.equal(verifyAll(), true)

const times = timeEach({
  bareSign: () => sign('sha256', baseString, { key: pair.privateKey, padding }),
  sign: () => signOAuth(input),
  bareVerify: () => verify('sha256', baseString, { key: pair.publicKey, padding }, signature),
  verify: verifyAll,
})
printTable('OAuth RSA-SHA256, 25 fields, against the bare call with a KeyObject', [
  { what: 'bare crypto.sign', figure: times.bareSign, unit: 'us' },
  { what: 'signOAuth', figure: times.sign / times.bareSign, unit: 'times', goal: 'at most 1.06' },
  { what: 'bare crypto.verify', figure: times.bareVerify, unit: 'us' },
  {
    what: 'verify, header and body to verdict',
    figure: times.verify / times.bareVerify,
    unit: 'times',
    goal: 'at most 1.5',
  },
])

const BATCH = 200

/** Wall time of a batch, in turn and all at once: the least of five each. */
async function timeBatches() {
  let [inTurn, atOnce] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let round = 0; round < 5; round++) {
    let started = performance.now()
    for (let call = 0; call < BATCH; call++) signOAuth(input)
    inTurn = Math.min(inTurn, performance.now() - started)
    started = performance.now()
    await Promise.all(Array.from({ length: BATCH }, () => signOAuthAsync(input)))
    atOnce = Math.min(atOnce, performance.now() - started)
  }
  return { inTurn, atOnce }
}

const { inTurn, atOnce } = await timeBatches()
printTable(`OAuth RSA-SHA256, ${BATCH} requests, wall time`, [
  { what: 'signOAuth in turn', figure: inTurn, unit: 'ms' },
  {
    what: 'signOAuthAsync at once, as fast as',
    figure: inTurn / atOnce,
    unit: 'times',
    goal: 'at least 1.7 on two idle cores',
  },
])
