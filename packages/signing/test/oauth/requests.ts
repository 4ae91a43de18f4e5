import { decodeParameters, hmacKey, type Parameter, rsaPrivateKey, rsaPublicKey } from '../../src/index.ts'
import type { SignedOAuth } from '../../src/internal.ts'
import { privatePem, publicPem } from '../rsa-key-pair.ts'
import { oauthVectors } from '../vectors.ts'

/** Both ends of each method, with keys made for this run. */
export const hmac = { method: 'HMAC-SHA1', key: hmacKey('11111111-1111-1111-1111-111111111111') } as const
export const rsaSigner = { method: 'RSA-SHA256', key: rsaPrivateKey(privatePem) } as const
export const rsaVerifier = { method: 'RSA-SHA256', key: rsaPublicKey(publicPem) } as const

export const timestamp = 1_669_966_913

const parameters: readonly Parameter[] = [
  ['client-order-id', '1234567890'],
  ['sending-card-ref-id', '7654321'],
]

/** The documented worked example of the interface family (vector HMAC-1). */
export const signable = {
  httpMethod: 'POST',
  url: 'https://gate.payneteasy.com/paynet/api/v2/pan-eligibility/send/ENDPOINTID',
  parameters,
} as const

export const protocol = { consumerKey: 'merchantlogin', nonce: 'y3qlvMPky7g', timestamp } as const

/** The documented base string of that example, which names HMAC-SHA1, with the method given. */
export function signableBaseString(method: 'HMAC-SHA1' | 'RSA-SHA256'): string {
  const { baseString } = oauthVectors.find(({ id }) => id === 'HMAC-1 doc HMAC') ?? { baseString: '' }
  return baseString.replace('HMAC-SHA1', method)
}

/** The pairs of the protocol that a signature put into the body. */
export function oauthPairs({ body }: SignedOAuth): Parameter[] {
  return decodeParameters(body).filter(([name]) => name.startsWith('oauth_'))
}
