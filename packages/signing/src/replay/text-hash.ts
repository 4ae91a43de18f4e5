import { type HalfSipKey, halfSipHash } from './half-sip-hash.ts'

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
