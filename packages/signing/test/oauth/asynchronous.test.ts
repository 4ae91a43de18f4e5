import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import {
  hmacKey,
  parseAuthorizationHeader,
  SigningError,
  type SignOAuthInput,
  signOAuth,
  signOAuthAsync,
  type VerifyOAuthInput,
  verifyOAuth,
  verifyOAuthAsync,
} from '../../src/index.ts'
import type { SignableRequest } from '../../src/internal.ts'
import { signBaseStringAsync, signOnPool, verifyOnPool } from '../../src/oauth/signature-methods.ts'
import { hmac, protocol, rsaSigner, rsaVerifier, signable, timestamp } from './requests.ts'

const inputs: readonly SignOAuthInput[] = [
  { ...hmac, ...signable, ...protocol },
  { ...rsaSigner, ...signable, ...protocol },
]

function verifyInput(input: SignOAuthInput): SignableRequest & VerifyOAuthInput {
  const parsed = parseAuthorizationHeader(signOAuth(input).authorization)
  if (!parsed.ok) throw new Error(parsed.reason)
  const verifier = input.method === 'HMAC-SHA1' ? hmac : rsaVerifier
  return { ...verifier, ...signable, header: parsed.header, now: timestamp }
}

describe.for(inputs)('the asynchronous form of $method', (input) => {
  test('[S5.2-25] signs as the synchronous form does', async () => {
    expect(await signOAuthAsync(input)).toEqual(signOAuth(input))
  })

  test('returns the verdict of the synchronous form', async () => {
    const right = verifyInput(input)
    const wrong = { ...right, parameters: [] }
    const malformed = { ...right, header: { ...right.header, signature: 'abc' } }
    const late = { ...right, now: timestamp + 301 }
    for (const request of [right, wrong, malformed, late]) {
      expect(await verifyOAuthAsync(request)).toEqual(verifyOAuth(request))
    }
  })

  test('rejects if the synchronous form throws', async () => {
    await expect(signOAuthAsync({ ...input, url: 'gate' })).rejects.toBeInstanceOf(SigningError)
    await expect(verifyOAuthAsync({ ...verifyInput(input), now: Number.NaN })).rejects.toBeInstanceOf(SigningError)
  })
})

describe('the thread pool', () => {
  test('rejects if OpenSSL fails', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('x25519')
    await expect(signOnPool(privateKey, Buffer.alloc(1))).rejects.toBeInstanceOf(Error)
    await expect(verifyOnPool(publicKey, Buffer.alloc(1), Buffer.alloc(256))).rejects.toBeInstanceOf(Error)
  })

  test('refuses a key of the other kind', async () => {
    const mixed = { method: 'RSA-SHA256', key: hmacKey('a') } as unknown as typeof rsaSigner
    await expect(signBaseStringAsync(mixed, 'text')).rejects.toMatchObject({ code: 'BAD_KEY' })
  })
})

describe('the body', () => {
  test('[S5.2-09] holds the parameters and the oauth_* pairs, and not the query', () => {
    const { body } = signOAuth({ ...hmac, ...signable, ...protocol, url: `${signable.url}?a=1` })
    expect(body).toBe(
      'client-order-id=1234567890&oauth_consumer_key=merchantlogin&oauth_nonce=y3qlvMPky7g&' +
        'oauth_signature_method=HMAC-SHA1&oauth_timestamp=1669966913&oauth_version=1.0&sending-card-ref-id=7654321',
    )
  })
})
