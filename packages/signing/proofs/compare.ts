import {
  decodeParameters,
  hmacKey,
  parseAuthorizationHeader,
  type RsaPrivateKey,
  type RsaPublicKey,
  signatureBaseString,
  signControl,
  signOAuth,
  verifyOAuth,
} from '../src/index.ts'
import type { OAuthHeader } from '../src/internal.ts'
import type { Answer } from './oauthlib.ts'
import type { WireRequest } from './random-request.ts'

/** The keys for requests that are signed with RSA. */
export type RsaPair = { readonly privateKey: RsaPrivateKey; readonly publicKey: RsaPublicKey }

/** In what our signing and verifying of a request departs from the answer of the other implementation. */
export function differences(request: WireRequest, answer: Answer, rsa: RsaPair): string[] {
  const parameters = decodeParameters(request.body)
  const signer = signerOf(request, rsa)
  const { authorization, body } = signOAuth({ ...request, ...signer, parameters })
  const header = readHeader(authorization)
  const baseString = signatureBaseString({ ...request, parameters: decodeParameters(body) })
  const verifier = { ...verifierOf(request, rsa), httpMethod: request.httpMethod, url: request.url, parameters }
  const theirs = { ...header, signature: answer.signature }
  const verdict = verifyOAuth({ ...verifier, header: theirs, now: request.timestamp })
  return [
    baseString === answer.baseString ? '' : 'base string',
    header.signature === answer.signature ? '' : 'signature',
    verdict.ok ? '' : 'verification',
    signControl({ terms: request.terms, key: request.controlKey }) === answer.control ? '' : 'control',
  ].filter((name) => name !== '')
}

function readHeader(authorization: string): OAuthHeader {
  const parsed = parseAuthorizationHeader(authorization)
  if (!parsed.ok) throw new Error(`our own header was refused: ${parsed.reason}`)
  return parsed.header
}

function signerOf({ method, secret }: WireRequest, { privateKey }: RsaPair) {
  return method === 'HMAC-SHA1' ? ({ method, key: hmacKey(secret) } as const) : ({ method, key: privateKey } as const)
}

function verifierOf({ method, secret }: WireRequest, { publicKey }: RsaPair) {
  return method === 'HMAC-SHA1' ? ({ method, key: hmacKey(secret) } as const) : ({ method, key: publicKey } as const)
}
