/**
 * Measures OAuth 1.0a of a payout with 25 fields: HMAC-SHA1 against a bare `createHmac` of the ready base string, RSA-SHA256 against
 * the bare calls with a ready KeyObject, and HMAC-SHA1 against other libraries.
 *
 *     node --conditions=@tallystick/source bench/oauth.ts [hmac] [rsa] [peers]
 */
import assert from 'node:assert/strict'
import { constants, createHmac, createSecretKey, generateKeyPairSync, sign, verify } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import {
  decodeParameters,
  type HmacKey,
  hmacKey,
  normalizeParameters,
  parseAuthorizationHeader,
  type RsaPublicKey,
  rsaPrivateKey,
  rsaPublicKey,
  signatureBaseString,
  signOAuth,
  signOAuthAsync,
  verifyOAuth,
} from '@tallystick/signing'
import type { SignedOAuth } from '@tallystick/signing/internal'
import { measure, printTable, size, timeEach } from './kit/measure.ts'
import { consumerKey, nonce, payout, secret, signers, timestamp, url } from './kit/signers.ts'

const input = { httpMethod: 'POST', url, parameters: payout, consumerKey, nonce, timestamp } as const

type Verifier =
  | { readonly method: 'HMAC-SHA1'; readonly key: HmacKey }
  | { readonly method: 'RSA-SHA256'; readonly key: RsaPublicKey }

/** Verifies, from the raw header and the raw body as a server has it: the text of the bytes from the wire. */
function verifierOf({ authorization, body }: SignedOAuth, by: Verifier): () => boolean {
  const received = Buffer.from(body).toString('latin1')
  return () => {
    const parsed = parseAuthorizationHeader(authorization)
    if (!parsed.ok) return false
    const { header } = parsed
    return verifyOAuth({ ...by, httpMethod: 'POST', url, header, body: received, now: timestamp }).ok
  }
}

function hmac(): void {
  const [method, key] = ['HMAC-SHA1', hmacKey(secret)] as const
  const bareKey = createSecretKey(`${secret}&`, 'utf8')
  const signed = signOAuth({ ...input, method, key })
  const { authorization, body } = signed
  const sent = decodeParameters(body)
  const baseString = signatureBaseString({ httpMethod: 'POST', url, parameters: sent })
  const bare = () => createHmac('sha1', bareKey).update(baseString).digest('base64')
  assert.ok(authorization.includes(encodeURIComponent(bare())))
  assert.equal(body, normalizeParameters(sent))
  assert.equal(sent.length, payout.length + 5)
  for (const pair of payout) assert.ok(sent.some((other) => isDeepStrictEqual(pair, other)))
  const verified = verifierOf(signed, { method, key })
  const received = Buffer.from(body).toString('latin1')
  const verifiedAndRead = () => verified() && decodeParameters(received)
  assert.deepEqual(new Map(verifiedAndRead() || []), new Map(sent))

  const times = timeEach({
    bare,
    sign: () => signOAuth({ ...input, method, key }),
    verify: verified,
    verifyAndRead: verifiedAndRead,
  })
  printTable('OAuth HMAC-SHA1, 25 fields, against a bare createHmac of the ready base string', [
    { what: 'bare createHmac', figure: times.bare, unit: 'us' },
    { what: 'sign, pairs to header and body', figure: times.sign / times.bare, unit: 'times', goal: 'at most 3' },
    {
      what: 'verify, header and body to verdict',
      figure: times.verify / times.bare,
      unit: 'times',
      goal: 'at most 2.5',
    },
    {
      what: 'verify, header and body to fields',
      figure: times.verifyAndRead / times.bare,
      unit: 'times',
      goal: 'at most 5',
    },
  ])
}

async function rsa(): Promise<void> {
  const method = 'RSA-SHA256'
  const pair = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const key = rsaPrivateKey(pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString())
  const publicKey = rsaPublicKey(pair.publicKey.export({ type: 'spki', format: 'pem' }).toString())
  const signed = signOAuth({ ...input, method, key })
  const { authorization, body } = signed
  const baseString = Buffer.from(signatureBaseString({ httpMethod: 'POST', url, parameters: decodeParameters(body) }))
  const padding = constants.RSA_PKCS1_PADDING
  const signature = sign('sha256', baseString, { key: pair.privateKey, padding })
  const verified = verifierOf(signed, { method, key: publicKey })
  assert.ok(authorization.includes(encodeURIComponent(signature.toString('base64'))))
  assert.equal(verified(), true)

  const times = timeEach({
    bareSign: () => sign('sha256', baseString, { key: pair.privateKey, padding }),
    sign: () => signOAuth({ ...input, method, key }),
    bareVerify: () => verify('sha256', baseString, { key: pair.publicKey, padding }, signature),
    verify: verified,
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

  const batch = 200
  let [inTurn, atOnce] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let round = 0; round < size(5, 1); round++) {
    let started = performance.now()
    for (let call = 0; call < batch; call++) signOAuth({ ...input, method, key })
    inTurn = Math.min(inTurn, performance.now() - started)
    started = performance.now()
    await Promise.all(Array.from({ length: batch }, () => signOAuthAsync({ ...input, method, key })))
    atOnce = Math.min(atOnce, performance.now() - started)
  }
  printTable(`OAuth RSA-SHA256, ${batch} requests, wall time`, [
    { what: 'signOAuth in turn', figure: inTurn, unit: 'ms' },
    {
      what: 'signOAuthAsync at once, as fast as',
      figure: inTurn / atOnce,
      unit: 'times',
      goal: 'at least 1.7 on two idle cores',
    },
  ])
}

function peers(): void {
  const { ours, ...peers } = timeEach(signers)
  printTable('OAuth HMAC-SHA1, 25 fields, against other libraries', [
    { what: 'signOAuth', figure: ours, unit: 'us' },
    ...Object.entries(peers).map(([name, time]) => ({ what: name, figure: time / ours, unit: 'times' })),
    {
      what: 'the best of them, to signOAuth',
      figure: Math.min(...Object.values(peers)) / ours,
      unit: 'times',
      goal: 'at least 4',
    },
  ])
}

await measure({ hmac, rsa, peers })
