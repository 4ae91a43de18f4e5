/** Bytes on loan. They hold the whole request, card data included. */
export type LentBytes = {
  readonly bytes: Buffer
  /** The same bytes, to read and write several at once. */
  readonly view: DataView
  /** Up to here they are filled: whoever fills them says so. */
  end: number
}

/** The least that is lent. */
export const LEAST_BYTES = 16_384
const MOST_KEPT = 65_536
const MANY_KEPT = 2

/** What waits for the next request. All zeros: it holds nothing between two requests. */
const kept: LentBytes[] = []

/**
 * Lends bytes to work in, at least so many, with nothing promised about what is in them. Whoever borrows them gives them
 * back with {@link returnBytes}, errors or not.
 *
 * A fast path: fresh buffers are what a signature would otherwise leave most garbage of, and take longer to make than to
 * fill. A loan has one holder, so that signatures on the thread pool do not write into each other's.
 */
export function lendBytes(size: number): LentBytes {
  const lent = kept.pop()
  return lent !== undefined && lent.bytes.length >= size ? lent : newBytes(Math.max(size, LEAST_BYTES))
}

/** Takes bytes back and wipes what was filled of them. */
export function returnBytes(lent: LentBytes): void {
  lent.bytes.fill(0, 0, lent.end)
  lent.end = 0
  if (kept.length < MANY_KEPT && lent.bytes.length <= MOST_KEPT) kept.push(lent)
}

function newBytes(size: number): LentBytes {
  const bytes = Buffer.alloc(size)
  return { bytes, view: new DataView(bytes.buffer), end: 0 }
}
