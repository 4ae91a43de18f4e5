import { type KeyObject, sign, timingSafeEqual, verify } from 'node:crypto'
import { SigningError } from '../errors.ts'
import { type HmacKey, hmacKeyMaterial, hmacSha1 } from '../keys/hmac-key.ts'
import { type RsaPrivateKey, rsaPrivateKeyMaterial } from '../keys/rsa-private-key.ts'
import { type RsaPublicKey, rsaPublicKeyMaterial } from '../keys/rsa-public-key.ts'
import type { NameOrders } from './name-order.ts'

/** Which key signs and which verifies, per method. HMAC has one for both. */
type MethodKeys = {
  'HMAC-SHA1': { readonly sign: HmacKey; readonly verify: HmacKey }
  'RSA-SHA256': { readonly sign: RsaPrivateKey; readonly verify: RsaPublicKey }
}

/**
 * The two signature methods of the interface. No other exists: RFC 5849's PLAINTEXT and RSA-SHA1 are refused as any
 * unknown name is.
 *
 * @see Specification part 5.2
 */
export type SignatureMethod = keyof MethodKeys

/** A method together with the only kind of key that it signs with. */
export type OAuthSigner<M extends SignatureMethod = SignatureMethod> = {
  [K in M]: {
    /** How to sign: the method that the operation requires. */
    readonly method: K
    /** The key of this method, made once by `hmacKey` or `rsaPrivateKey`. */
    readonly key: MethodKeys[K]['sign']
  }
}[M]

/** A method together with the only kind of key that it verifies with. */
export type OAuthVerifier<M extends SignatureMethod = SignatureMethod> = {
  [K in M]: {
    /** The method that the operation requires: from the catalogue, never from the request. */
    readonly method: K
    /** The key of this method, made once by `hmacKey` or `rsaPublicKey`. */
    readonly key: MethodKeys[K]['verify']
  }
}[M]

/** What became of one signature. */
export type SignatureCheck = 'malformed-signature' | 'valid' | 'wrong-signature'

type Method<M extends SignatureMethod> = {
  /** Signs the base string; base64. */
  sign(key: MethodKeys[M]['sign'], baseString: string): string
  verify(key: MethodKeys[M]['verify'], baseString: string, signature: string): SignatureCheck
  /** The same on Node's thread pool, if the work is worth the transfer. */
  signAsync(key: MethodKeys[M]['sign'], baseString: string): Promise<string>
  verifyAsync(key: MethodKeys[M]['verify'], baseString: string, signature: string): Promise<SignatureCheck>
  /** What a key has signed last. */
  orders(key: MethodKeys[M]['sign']): NameOrders
  /** Throws for a key of another kind. */
  requireKey(key: MethodKeys[M]['verify']): unknown
}

const HMAC_SHA1_BYTES = 20

/** The one table of methods. Everything that depends on the name of a method is here. */
const METHODS: { readonly [M in SignatureMethod]: Method<M> } = {
  /** @see {@link https://www.rfc-editor.org/rfc/rfc5849#section-3.4.2 RFC 5849 section 3.4.2} */
  'HMAC-SHA1': {
    sign: (key, baseString) => hmacSha1(hmacKeyMaterial(key).blocks, baseString),
    verify: (key, baseString, signature) => {
      if (isSame(hmacSha1(hmacKeyMaterial(key).blocks, baseString), signature)) return 'valid'
      return decodeCanonicalBase64(signature, HMAC_SHA1_BYTES) ? 'wrong-signature' : 'malformed-signature'
    },
    signAsync: async (key, baseString) => METHODS['HMAC-SHA1'].sign(key, baseString),
    verifyAsync: async (key, baseString, signature) => METHODS['HMAC-SHA1'].verify(key, baseString, signature),
    orders: (key) => hmacKeyMaterial(key).orders,
    requireKey: hmacKeyMaterial,
  },
  /**
   * RSASSA-PKCS1-v1_5, the default of `node:crypto` for the plain RSA keys that `requireRsa` lets pass. It is not named: Workers
   * accept a key object only alone.
   *
   * @see {@link https://www.rfc-editor.org/rfc/rfc8017#section-8.2 RFC 8017 section 8.2}
   */
  'RSA-SHA256': {
    sign: (key, baseString) =>
      sign('sha256', Buffer.from(baseString), rsaPrivateKeyMaterial(key).key).toString('base64'),
    verify: (publicKey, baseString, signature) => {
      const { key, signatureBytes } = rsaPublicKeyMaterial(publicKey)
      const received = decodeCanonicalBase64(signature, signatureBytes)
      if (received === undefined) return 'malformed-signature'
      return verify('sha256', Buffer.from(baseString), key, received) ? 'valid' : 'wrong-signature'
    },
    signAsync: async (key, baseString) => {
      const signature = await signOnPool(rsaPrivateKeyMaterial(key).key, Buffer.from(baseString))
      return signature.toString('base64')
    },
    verifyAsync: async (publicKey, baseString, signature) => {
      const { key, signatureBytes } = rsaPublicKeyMaterial(publicKey)
      const received = decodeCanonicalBase64(signature, signatureBytes)
      if (received === undefined) return 'malformed-signature'
      return (await verifyOnPool(key, Buffer.from(baseString), received)) ? 'valid' : 'wrong-signature'
    },
    orders: (key) => rsaPrivateKeyMaterial(key).orders,
    requireKey: rsaPublicKeyMaterial,
  },
}

/** Faster than a look-up by name, of which a signature needs three. */
function methodOf<M extends SignatureMethod>(method: M): Method<M> {
  const found = method === 'HMAC-SHA1' ? METHODS['HMAC-SHA1'] : METHODS['RSA-SHA256']
  return found as Method<M>
}

/** Signs a base string: base64 of the signature. */
export function signBaseString<M extends SignatureMethod>({ method, key }: OAuthSigner<M>, baseString: string): string {
  return methodOf(method).sign(key, baseString)
}

/** What a signer's key has signed last. */
export function ordersOf<M extends SignatureMethod>({ method, key }: OAuthSigner<M>): NameOrders {
  return methodOf(method).orders(key)
}

/** @throws {SigningError} `BAD_KEY` for a key of another kind. */
export function requireKey<M extends SignatureMethod>({ method, key }: OAuthVerifier<M>): void {
  methodOf(method).requireKey(key)
}

/** Checks a signature of a base string. */
export function checkSignature<M extends SignatureMethod>(
  { method, key }: OAuthVerifier<M>,
  baseString: string,
  signature: string,
): SignatureCheck {
  return methodOf(method).verify(key, baseString, signature)
}

/** As {@link signBaseString}, on node's thread pool. */
export function signBaseStringAsync<M extends SignatureMethod>(
  { method, key }: OAuthSigner<M>,
  baseString: string,
): Promise<string> {
  return methodOf(method).signAsync(key, baseString)
}

/** As {@link checkSignature}, on node's thread pool. */
export function checkSignatureAsync<M extends SignatureMethod>(
  { method, key }: OAuthVerifier<M>,
  baseString: string,
  signature: string,
): Promise<SignatureCheck> {
  return methodOf(method).verifyAsync(key, baseString, signature)
}

/**
 * Refuses the name of any other method, for callers that the types do not hold.
 *
 * @throws {SigningError} `BAD_ARGUMENT`: take the method from the catalogue of operations, never from a request.
 */
export function requireMethod(method: SignatureMethod): void {
  if (Object.hasOwn(METHODS, method)) return
  throw new SigningError('BAD_ARGUMENT', `method must be one of ${Object.keys(METHODS).join(', ')}`)
}

/** Compares two texts in a time that does not tell where they differ. */
export function isSame(expected: string, received: string): boolean {
  const [one, other] = [Buffer.from(expected), Buffer.from(received)]
  return one.length === other.length && timingSafeEqual(one, other)
}

/** `crypto.sign` with SHA-256 on node's thread pool. */
export function signOnPool(key: KeyObject, data: Uint8Array): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    sign('sha256', data, key, (error, signature) => (error === null ? resolve(signature) : reject(error)))
  })
}

/** `crypto.verify` with SHA-256 on node's thread pool. */
export function verifyOnPool(key: KeyObject, data: Uint8Array, signature: Uint8Array): Promise<boolean> {
  return new Promise((resolve, reject) => {
    verify('sha256', data, key, signature, (error, isValid) => (error === null ? resolve(isValid) : reject(error)))
  })
}

/**
 * Decodes base64 of exactly that many bytes in its one canonical spelling (standard alphabet, padded, spare bits zero),
 * or `undefined`: a second spelling of a signature would be a second signature.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc4648#section-3.5 RFC 4648 section 3.5}
 */
function decodeCanonicalBase64(text: string, byteLength: number): Uint8Array | undefined {
  if (text.length !== Math.ceil(byteLength / 3) * 4) return undefined
  const bytes = Buffer.from(text, 'base64')
  return bytes.length === byteLength && bytes.toString('base64') === text ? bytes : undefined
}
