/** Bytes on loan. They hold the whole request, card data included. */
export type ScratchBuffer = {
  readonly bytes: Buffer
  /** The same bytes, for reading and writing several at once. */
  readonly view: DataView
  /** How far they are filled. The code that fills them sets it. */
  end: number
}

/** The least that is lent. */
export const LEAST_BYTES = 16_384
const MOST_KEPT = 65_536
const MANY_KEPT = 2

/** Kept for the next request. All zeros: they hold nothing between requests. */
const kept: ScratchBuffer[] = []

/**
 * Lends at least `size` bytes of scratch with arbitrary content. The borrower returns them with {@link releaseScratch}, also
 * after an error.
 *
 * A fast path: fresh buffers would be most of a signature's garbage, and take longer to allocate than to fill. A loan has one
 * holder, so that concurrent signatures on the thread pool never share bytes.
 */
export function takeScratch(size: number): ScratchBuffer {
  const lent = kept.pop()
  return lent !== undefined && lent.bytes.length >= size ? lent : newBytes(Math.max(size, LEAST_BYTES))
}

/** Takes bytes back and wipes the filled part. */
export function releaseScratch(lent: ScratchBuffer): void {
  lent.bytes.fill(0, 0, lent.end)
  lent.end = 0
  if (kept.length < MANY_KEPT && lent.bytes.length <= MOST_KEPT) kept.push(lent)
}

function newBytes(size: number): ScratchBuffer {
  const bytes = Buffer.alloc(size)
  return { bytes, view: new DataView(bytes.buffer), end: 0 }
}

const HEX_DIGITS = Buffer.from('0123456789ABCDEF')
const UNRESERVED = Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~')

/** 1 for each byte that percent-encoding leaves alone. A table, because branches on each byte are mispredicted. */
const STAYS = new Uint8Array(0x100)
/** The same for two bytes at once, the first in the low byte. */
const BOTH_STAY = new Uint8Array(0x10000)
for (const code of UNRESERVED) STAYS[code] = 1
for (const code of UNRESERVED) BOTH_STAY.set(STAYS, code << 8)

/** Each module binds them to constants of its own: V8 inlines those, but fetches an imported binding at each use. */
export const TABLES = { STAYS, BOTH_STAY } as const

/** The two hexadecimal digits of a byte, the first in the low byte. */
export function digitsOf(code: number): number {
  return (HEX_DIGITS[code >> 4] as number) | ((HEX_DIGITS[code & 0xf] as number) << 8)
}
