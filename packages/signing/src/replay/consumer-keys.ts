import { SigningError } from '../errors.ts'
import type { HalfSipKey } from './half-sip-hash.ts'
import type { TextHash } from './text-hash.ts'

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
