import type { OutgoingRequest } from '@tallystick/client'
import { parseForm } from '@tallystick/core'
import { hmacKey, signOAuth } from '@tallystick/signing'
import type { Candidate } from './check.ts'

/** Another first character: the last ones of a signature only pad it. */
export function withOtherSignature(request: OutgoingRequest): OutgoingRequest {
  const { authorization = '' } = request.headers
  return {
    ...request,
    headers: { ...request.headers, authorization: otherSignatureIn(authorization) },
    body: otherSignatureIn(request.body),
  }
}

function otherSignatureIn(text: string): string {
  return text.replace(
    /(oauth_signature="?)(%..|.)/,
    (_, name: string, first: string) => name + (first === 'A' ? 'B' : 'A'),
  )
}

/** Signed anew by the other method, with the right key. */
export function signedByHmac(request: OutgoingRequest, { login, controlKey, client, now }: Candidate): OutgoingRequest {
  const parameters = parseForm(request.body).filter(([name]) => !name.startsWith('oauth_'))
  const signed = signOAuth({
    method: 'HMAC-SHA1',
    key: hmacKey(controlKey),
    httpMethod: 'POST',
    url: request.url,
    parameters,
    consumerKey: login,
    nonce: client.newClientOrderId(),
    timestamp: Math.floor(now() / 1000),
  })
  return { ...request, headers: { ...request.headers, authorization: signed.authorization }, body: signed.body }
}
