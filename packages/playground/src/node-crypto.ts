/**
 * The part of `node:crypto` that signing and its doctor use, for a browser: WebCrypto has no MD5 and waits for every hash, and the
 * doctor makes thousands. RSA takes no care of how long it computes: whoever could measure that has the page, and with it the key.
 *
 * @see {@link https://nodejs.org/api/crypto.html}
 */
import { hmac } from '@noble/hashes/hmac.js'
import { md5, sha1 } from '@noble/hashes/legacy.js'
import { sha224, sha256, sha384, sha512 } from '@noble/hashes/sha2.js'
import { Buffer } from 'buffer/index.js'
import { bytesOf, type KeyForm, keyInDer, keyInPem, numberOf, type RsaNumbers } from './rsa-key.ts'

const ALGORITHMS = { md5, sha1, sha224, sha256, sha384, sha512 }
type HashName = keyof typeof ALGORITHMS
type Encoding = 'base64' | 'binary' | 'buffer' | 'hex'

export function hash(name: HashName, data: string | Uint8Array, encoding: Encoding) {
  const digest = digestOf(name, data)
  return encoding === 'buffer' ? digest : digest.toString(encoding)
}

function digestOf(name: HashName, data: string | Uint8Array): Buffer {
  return Buffer.from(ALGORITHMS[name](bytesFrom(data)))
}

export function createHmac(name: HashName, key: string | Uint8Array) {
  const mac = hmac.create(ALGORITHMS[name], bytesFrom(key))
  const made = {
    update: (data: string | Uint8Array) => {
      mac.update(bytesFrom(data))
      return made
    },
    digest: () => Buffer.from(mac.digest()),
  }
  return made
}

export function timingSafeEqual(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) throw new RangeError('Input buffers must have the same byte length')
  return one.reduce((difference, byte, at) => difference | (byte ^ (other[at] ?? 0)), 0) === 0
}

/** An RSA key. No other kind is read. */
export class KeyObject {
  readonly asymmetricKeyType = 'rsa'
  readonly type: 'private' | 'public'
  readonly numbers: RsaNumbers

  constructor(type: 'private' | 'public', numbers: RsaNumbers) {
    this.type = type
    this.numbers = numbers
  }

  get asymmetricKeyDetails() {
    const { modulus, publicExponent } = this.numbers
    return { modulusLength: modulus.toString(2).length, publicExponent }
  }

  equals({ type, numbers }: KeyObject): boolean {
    return (
      type === this.type &&
      numbers.modulus === this.numbers.modulus &&
      numbers.publicExponent === this.numbers.publicExponent
    )
  }
}

type KeyInput = string | { readonly key: string | Uint8Array; readonly format: 'der' | 'pem'; readonly type?: KeyForm }

/** @throws Error for anything but a private RSA key, unencrypted */
export function createPrivateKey(input: KeyInput): KeyObject {
  return keyOf(input, 'private')
}

/** Also of a private key, as Node.js does it. @throws Error for anything but an RSA key */
export function createPublicKey(input: KeyInput | KeyObject): KeyObject {
  const { numbers } = input instanceof KeyObject ? input : keyOf(input, 'public')
  return new KeyObject('public', { modulus: numbers.modulus, publicExponent: numbers.publicExponent })
}

function keyOf(input: KeyInput, wanted: 'private' | 'public'): KeyObject {
  const { key, type: form } = typeof input === 'string' ? { key: input } : { type: undefined, ...input }
  if (typeof key !== 'string') return new KeyObject(wanted, keyInDer(key, wanted, form ?? 'pkcs1'))
  const { type, numbers } = keyInPem(key)
  if (wanted === 'private' && type === 'public') throw new Error('a public key')
  return new KeyObject(type, numbers)
}

/** What stands before a digest. @see {@link https://www.rfc-editor.org/rfc/rfc8017#section-9.2 RFC 8017 section 9.2, note 1} */
const DIGEST_INFO: Readonly<Partial<Record<HashName, string>>> = {
  sha1: '3021300906052b0e03021a05000414',
  sha256: '3031300d060960864801650304020105000420',
  sha384: '3041300d060960864801650304020205000430',
  sha512: '3051300d060960864801650304020305000440',
}

type Done<Result> = (error: Error | null, result: Result) => void

/** RSASSA-PKCS1-v1_5, at once or, with `done`, a little later. @see {@link https://www.rfc-editor.org/rfc/rfc8017#section-8.2.1 RFC 8017 section 8.2.1} */
export function sign(name: HashName, data: Uint8Array, { numbers }: KeyObject, done?: Done<Buffer>) {
  const { modulus, privateExponent } = numbers
  if (privateExponent === undefined) throw new Error('a public key')
  const length = lengthOf(modulus)
  const signature = Buffer.from(bytesOf(power(encoded(name, data, length), privateExponent, modulus), length))
  if (done !== undefined) queueMicrotask(() => done(null, signature))
  return signature
}

/** @see {@link https://www.rfc-editor.org/rfc/rfc8017#section-8.2.2 RFC 8017 section 8.2.2} */
export function verify(
  name: HashName,
  data: Uint8Array,
  { numbers: { modulus, publicExponent } }: KeyObject,
  signature: Uint8Array,
  done?: Done<boolean>,
): boolean {
  const length = lengthOf(modulus)
  const received = numberOf(signature)
  const isValid =
    signature.length === length &&
    received < modulus &&
    power(received, publicExponent, modulus) === encoded(name, data, length)
  if (done !== undefined) queueMicrotask(() => done(null, isValid))
  return isValid
}

/** EMSA-PKCS1-v1_5, as a number. @see {@link https://www.rfc-editor.org/rfc/rfc8017#section-9.2 RFC 8017 section 9.2} */
function encoded(name: HashName, data: Uint8Array, length: number): bigint {
  const info = `${DIGEST_INFO[name]}${digestOf(name, data).toString('hex')}`
  return BigInt(`0x0001${'ff'.repeat(length - 3 - info.length / 2)}00${info}`)
}

function lengthOf(modulus: bigint): number {
  return Math.ceil(modulus.toString(16).length / 2)
}

function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let [result, square] = [1n, base % modulus]
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % modulus
    square = (square * square) % modulus
  }
  return result
}

function bytesFrom(data: string | Uint8Array): Uint8Array {
  return typeof data === 'string' ? new TextEncoder().encode(data) : data
}
