const FIRST_SLOTS = 16
const FREE = 0

/**
 * A set of fingerprints (whole numbers up to 53 bits, evenly spread) in one typed array: open addressing, at most four
 * slots of five in use, doubled when it is full. It knows nothing of keys and of time; a `Set<number>` does the same
 * with four times the memory, and is its reference in the tests.
 */
export class FingerprintSet {
  #slots: Float64Array = new Float64Array(FIRST_SLOTS)
  #count = 0

  /** Adds a fingerprint: `false` when it is in the set already. */
  add(fingerprint: number): boolean {
    const at = slotOf(this.#slots, fingerprint)
    if (this.#slots[at] === fingerprint) return false
    this.#slots[at] = fingerprint
    this.#count++
    if (this.#count * 5 > this.#slots.length * 4) this.#slots = doubled(this.#slots)
    return true
  }
}

/** Where a fingerprint is, or the free slot where it belongs. */
function slotOf(slots: Float64Array, fingerprint: number): number {
  const mask = slots.length - 1
  let at = fingerprint & mask
  while (slots[at] !== FREE && slots[at] !== fingerprint) at = (at + 1) & mask
  return at
}

function doubled(slots: Float64Array): Float64Array {
  const larger = new Float64Array(slots.length * 2)
  for (const fingerprint of slots) {
    if (fingerprint !== FREE) larger[slotOf(larger, fingerprint)] = fingerprint
  }
  return larger
}
