import { Buffer } from 'buffer/index.js'

/** The numbers of an RSA key. */
export interface RsaNumbers {
  readonly modulus: bigint
  readonly publicExponent: bigint
  /** Of a private key alone. */
  readonly privateExponent?: bigint | undefined
}

export type KeyForm = 'pkcs1' | 'pkcs8' | 'spki'

const SEQUENCE = 0x30
const INTEGER = 0x02
const OCTET_STRING = 0x04
const BIT_STRING = 0x03

/** rsaEncryption, 1.2.840.113549.1.1.1. @see {@link https://www.rfc-editor.org/rfc/rfc8017#appendix-A.1 RFC 8017 appendix A.1} */
const RSA_ENCRYPTION = '06092a864886f70d010101'

/** How a text in PEM names what it holds. */
const LABELS: ReadonlyMap<string, readonly [type: 'private' | 'public', form: KeyForm]> = new Map([
  ['PRIVATE KEY', ['private', 'pkcs8']],
  ['RSA PRIVATE KEY', ['private', 'pkcs1']],
  ['PUBLIC KEY', ['public', 'spki']],
  ['RSA PUBLIC KEY', ['public', 'pkcs1']],
])

const PEM = /-----BEGIN ([A-Z ]+)-----([A-Za-z0-9+/=\s]+)-----END \1-----/

/**
 * Reads a key in PEM.
 *
 * @throws Error for anything but a plain RSA key
 * @see {@link https://www.rfc-editor.org/rfc/rfc7468 RFC 7468}
 */
export function keyInPem(pem: string): { readonly type: 'private' | 'public'; readonly numbers: RsaNumbers } {
  const [, label = '', base64 = ''] = PEM.exec(pem) ?? []
  const known = LABELS.get(label)
  if (known === undefined) throw new Error('no RSA key in PEM')
  const [type, form] = known
  return { type, numbers: keyInDer(Buffer.from(base64, 'base64'), type, form) }
}

/** Reads a key in DER. @throws Error for anything but a plain RSA key */
export function keyInDer(der: Uint8Array, type: 'private' | 'public', form: KeyForm): RsaNumbers {
  if (form === 'pkcs1') return type === 'private' ? privateNumbers(der) : publicNumbers(der)
  const outer = new DerReader(new DerReader(der).take(SEQUENCE))
  if (type === 'private') outer.take(INTEGER)
  const algorithm = Buffer.from(outer.take(SEQUENCE)).toString('hex')
  if (!algorithm.startsWith(RSA_ENCRYPTION)) throw new Error('no plain RSA key')
  if (type === 'private') return privateNumbers(outer.take(OCTET_STRING))
  const [unusedBits, ...bits] = outer.take(BIT_STRING)
  if (unusedBits !== 0) throw new Error('no whole bytes')
  return publicNumbers(Uint8Array.from(bits))
}

function privateNumbers(der: Uint8Array): RsaNumbers {
  const reader = new DerReader(new DerReader(der).take(SEQUENCE))
  reader.take(INTEGER)
  const [modulus, publicExponent, privateExponent] = [reader.integer(), reader.integer(), reader.integer()]
  return { modulus, publicExponent, privateExponent }
}

function publicNumbers(der: Uint8Array): RsaNumbers {
  const reader = new DerReader(new DerReader(der).take(SEQUENCE))
  return { modulus: reader.integer(), publicExponent: reader.integer() }
}

/** Reads values one after the other. @see ITU-T X.690 part 8.1 */
class DerReader {
  readonly #bytes: Uint8Array
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  /** The content of the next value. @throws Error if it is of another kind, or cut */
  take(tag: number): Uint8Array {
    if (this.#next() !== tag) throw new Error('damaged')
    const short = this.#next()
    const length = short < 0x80 ? short : this.#long(short & 0x7f)
    const content = this.#bytes.subarray(this.#at, this.#at + length)
    if (content.length !== length) throw new Error('damaged')
    this.#at += length
    return content
  }

  integer(): bigint {
    return numberOf(this.take(INTEGER))
  }

  #next(): number {
    const byte = this.#bytes[this.#at++]
    if (byte === undefined) throw new Error('damaged')
    return byte
  }

  #long(bytes: number): number {
    if (bytes < 1 || bytes > 3) throw new Error('damaged')
    let length = 0
    for (let count = 0; count < bytes; count++) length = length * 256 + this.#next()
    return length
  }
}

/** Unsigned, the highest byte first. */
export function numberOf(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
}

export function bytesOf(number: bigint, length: number): Uint8Array {
  return Buffer.from(number.toString(16).padStart(length * 2, '0'), 'hex')
}
