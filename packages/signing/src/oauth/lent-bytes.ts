/** Bytes on loan, filled from the start up to `end`. They hold the whole request, card data included. */
export type LentBytes = { readonly bytes: Buffer; readonly end: number }

const LEAST = 16_384
const MOST_KEPT = 65_536
const MANY_KEPT = 2

/** What waits for the next request. All zeros: it holds nothing between two requests. */
const kept: Buffer[] = []

/**
 * Lends bytes to work in, at least so many, with nothing promised about what is in them. Whoever borrows them gives them
 * back with {@link returnBytes}, errors or not.
 *
 * A fast path: fresh buffers are what a signature would otherwise leave most garbage of, and take longer to make than to
 * fill. A loan has one holder, so that signatures on the thread pool do not write into each other's.
 */
export function lendBytes(size: number): Buffer {
  const bytes = kept.pop()
  return bytes !== undefined && bytes.length >= size ? bytes : Buffer.allocUnsafeSlow(Math.max(size, LEAST))
}

/** Takes bytes back and wipes what was filled of them. */
export function returnBytes({ bytes, end }: LentBytes): void {
  bytes.fill(0, 0, end)
  if (kept.length < MANY_KEPT && bytes.length <= MOST_KEPT) kept.push(bytes)
}
