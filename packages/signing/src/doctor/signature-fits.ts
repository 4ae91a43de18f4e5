import { createHmac, type KeyObject, timingSafeEqual, verify } from 'node:crypto'
import { PRINTED_SECRET, REVEAL_IT } from '../keys/printed-secret.ts'
import { rsaPublicKey, rsaPublicKeyMaterial } from '../keys/rsa-public-key.ts'
import { percentEncode } from '../oauth/percent-encode.ts'
import { inOtherCases, KEEP_CASE_OF_KEY } from './letter-case.ts'
import type { KeyEvidence } from './oauth-evidence.ts'
import { TRIM_KEY, withStraySpace } from './white-space.ts'

/** Whether the received signature is one of this base string, under one key and one algorithm. */
export type Fits = (baseString: string) => boolean

/** What can go wrong with the key or the algorithm, while the base string is right. */
export type KeyCause =
  | 'key-case-changed'
  | 'key-not-encoded'
  | 'key-with-white-space'
  | 'missing-ampersand'
  | 'wrong-key'
  | 'wrong-method'

/** A way to sign the right base string wrongly. */
export type KeyTry = { readonly cause: KeyCause; readonly advice: string; readonly fits: Fits }

const ADVICE: Readonly<Record<KeyCause, string>> = {
  'key-case-changed': KEEP_CASE_OF_KEY,
  'key-not-encoded': 'percent-encode the secret before the & is added to it',
  'key-with-white-space': TRIM_KEY,
  'missing-ampersand': 'the HMAC key is the secret and then an &, although the token secret after it is empty',
  'wrong-key': 'this is another key: configure the key of this merchant in this environment',
  'wrong-method': 'sign with the algorithm that oauth_signature_method names, which is the one of the operation',
}

/** The right way to sign. */
export function rightFits(evidence: KeyEvidence, signature: string): Fits {
  return evidence.method === 'HMAC-SHA1'
    ? hmac('sha1', hmacText(evidence.secret), signature)
    : rsa('sha256', publicKeyObject(evidence.publicKey), signature)
}

/** Every wrong one. */
export function keyTries(evidence: KeyEvidence, signature: string): KeyTry[] {
  const isHmac = evidence.method === 'HMAC-SHA1'
  const tries = isHmac ? hmacTries(evidence, signature) : rsaTries(evidence, signature)
  const known = tries.map(([cause, fits]): KeyTry => ({ cause, advice: ADVICE[cause], fits }))
  if (!isHmac) return known
  return [{ cause: 'wrong-key', advice: REVEAL_IT, fits: hmac('sha1', hmacText(PRINTED_SECRET), signature) }, ...known]
}

type Tries = [KeyCause, Fits][]

function hmacTries({ secret, otherSecrets = [] }: KeyEvidence & { method: 'HMAC-SHA1' }, signature: string): Tries {
  const keyed = (cause: KeyCause, texts: readonly string[]): Tries =>
    texts.map((text) => [cause, hmac('sha1', text, signature)])
  return [
    ...keyed('missing-ampersand', [percentEncode(secret), secret]),
    ...keyed('key-not-encoded', [`${secret}&`]),
    ...keyed('wrong-key', otherSecrets.map(hmacText)),
    ...keyed(
      'key-with-white-space',
      withStraySpace(secret).flatMap((text) => [hmacText(text), `${text}&`]),
    ),
    ...keyed('key-case-changed', inOtherCases(secret).map(hmacText)),
    ...['sha256', 'sha512', 'md5'].map((name): Tries[number] => [
      'wrong-method',
      hmac(name, hmacText(secret), signature),
    ]),
    ['wrong-method', () => signature === hmacText(secret)],
  ]
}

function rsaTries(evidence: KeyEvidence & { method: 'RSA-SHA256' }, signature: string): Tries {
  const key = publicKeyObject(evidence.publicKey)
  return [
    ...(evidence.otherPublicKeys ?? []).map((pem): Tries[number] => [
      'wrong-key',
      rsa('sha256', publicKeyObject(pem), signature),
    ]),
    ...['sha1', 'sha512', 'sha384'].map((name): Tries[number] => ['wrong-method', rsa(name, key, signature)]),
  ]
}

function hmacText(secret: string): string {
  return `${percentEncode(secret)}&`
}

function publicKeyObject(pem: string): KeyObject {
  return rsaPublicKeyMaterial(rsaPublicKey(pem)).key
}

function hmac(name: string, keyText: string, signature: string): Fits {
  const received = Buffer.from(signature, 'base64')
  return (baseString) => {
    const expected = createHmac(name, keyText).update(baseString).digest()
    return expected.length === received.length && timingSafeEqual(expected, received)
  }
}

function rsa(name: string, key: KeyObject, signature: string): Fits {
  const received = Buffer.from(signature, 'base64')
  return (baseString) => verify(name, Buffer.from(baseString), key, received)
}
