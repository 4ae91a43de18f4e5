import { SigningError } from '../errors.ts'

const SECRET_BYTES = 8

/**
 * A key for every consumer. All are kept: only consumers with a valid signature get here, so they are few.
 *
 * @throws {SigningError} `BAD_ARGUMENT` when the secret is not 8 bytes.
 */
export function consumerKeys(secret: Uint8Array, hash: TextHash): (consumerKey: string) => HalfSipKey {
  const key = keyOf(secret)
  const keys = new Map<string, HalfSipKey>()
  return (consumerKey) => {
    const known = keys.get(consumerKey)
    if (known !== undefined) return known
    const made: HalfSipKey = [hash.of(`\0${consumerKey}`, key) | 0, hash.of(`\x01${consumerKey}`, key) | 0]
    keys.set(consumerKey, made)
    return made
  }
}

/** Its words as the reference implementation reads them. */
function keyOf(secret: Uint8Array): HalfSipKey {
  if (!(secret instanceof Uint8Array) || secret.length !== SECRET_BYTES) {
    throw new SigningError(
      'BAD_ARGUMENT',
      `the secret must be ${SECRET_BYTES} bytes: take randomBytes(${SECRET_BYTES})`,
    )
  }
  const bytes = new DataView(secret.buffer, secret.byteOffset)
  return [bytes.getInt32(0, true), bytes.getInt32(4, true)]
}

/** The key of {@link halfSipHash}: two words of 32 bits. */
export type HalfSipKey = readonly [k0: number, k1: number]

/**
 * HalfSipHash-2-4 of bytes that end with their padding, as `TextHash` writes them; 53 of its 64 bits as a whole number. Without the key nobody can choose bytes that collide, and for texts as short as a nonce it costs a quarter of
 * a call into `node:crypto`.
 *
 * The state is four variables and the round is written out: it is the one hot loop of the replay guard.
 *
 * @see {@link https://github.com/veorq/SipHash SipHash, halfsiphash.c}
 */
function halfSipHash([k0, k1]: HalfSipKey, padded: DataView, length: number): number {
  let v0 = k0
  let v1 = k1 ^ 0xee
  let v2 = k0 ^ 0x6c796765
  let v3 = k1 ^ 0x74656462
  let high = 0
  for (let at = 0; at < length + 16; at += 4) {
    const word = at < length ? padded.getInt32(at, true) : 0
    if (at === length) v2 ^= 0xee
    if (at === length + 8) {
      high = v1 ^ v3
      v1 ^= 0xdd
    }
    v3 ^= word
    for (let round = 0; round < 2; round++) {
      v0 = (v0 + v1) | 0
      v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0
      v0 = (v0 << 16) | (v0 >>> 16)
      v2 = (v2 + v3) | 0
      v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2
      v0 = (v0 + v3) | 0
      v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0
      v2 = (v2 + v1) | 0
      v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2
      v2 = (v2 << 16) | (v2 >>> 16)
    }
    v0 ^= word
  }
  return (high & 0x1fffff) * 0x1_0000_0000 + ((v1 ^ v3) >>> 0)
}

/** Enough for a nonce of 128 characters, whatever they are. */
const FIRST_ROOM = 400
const UTF8_BYTES_EACH = 3
const PADDING = 4

/**
 * The keyed hash of the UTF-8 bytes of texts. Each text is written into the same buffer first: reading its characters one by
 * one would take longer than hashing them.
 */
export class TextHash {
  #bytes = Buffer.alloc(FIRST_ROOM)
  #view = viewOf(this.#bytes)

  of(text: string, key: HalfSipKey): number {
    const length = this.#write(text)
    return halfSipHash(key, this.#view, length)
  }

  /** Writes the text, zeros up to a whole word and, in the last byte, its length. Returns how many bytes that is. */
  #write(text: string): number {
    this.#makeRoom(text.length * UTF8_BYTES_EACH + PADDING)
    const bytes = this.#bytes
    const end = bytes.write(text)
    const last = end | 3
    bytes[last] = end
    for (let at = end; at < last; at++) bytes[at] = 0
    return last + 1
  }

  #makeRoom(room: number): void {
    if (room > this.#bytes.length) {
      this.#bytes = Buffer.alloc(room)
      this.#view = viewOf(this.#bytes)
    }
  }
}

function viewOf({ buffer, byteOffset, length }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, length)
}
