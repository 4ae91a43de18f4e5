const FIRST_SLOTS = 16
const FREE = 0
/** Slots moved at once when an array is outgrown: all of a small one, and of a large one what takes a moment. */
const MOVED_AT_ONCE = 4096
/** Slots moved with each fingerprint after that, so that all are moved long before the next growth. */
const MOVED_EACH = 16

/**
 * A set of fingerprints (whole numbers up to 53 bits, evenly spread) in one typed array: open addressing, at most seven
 * slots of ten in use, doubled when it needs more. A large array is moved a few slots at a time and kept beside the new one
 * meanwhile, so that a million fingerprints never stop everything else. The set knows nothing of keys or time; a
 * `Set<number>` does the same with four times the memory, and is the reference in the tests.
 */
export class FingerprintSet {
  #slots = new Float64Array(FIRST_SLOTS)
  #left = roomOf(FIRST_SLOTS)
  #size = 0
  #outgrown: Float64Array | undefined
  #moved = 0

  get size(): number {
    return this.#size
  }

  /** Adds a fingerprint; `false` if the set has it already. Zero, which marks a free slot, adds nothing. */
  add(fingerprint: number): boolean {
    const at = slotOf(this.#slots, fingerprint)
    if (this.#slots[at] === fingerprint || this.#isInOutgrown(fingerprint)) return false
    this.#slots[at] = fingerprint
    this.#size++
    this.#left--
    if (this.#outgrown !== undefined) this.#move(this.#outgrown, MOVED_EACH)
    else if (this.#left <= 0) this.#grow()
    return true
  }

  #isInOutgrown(fingerprint: number): boolean {
    return this.#outgrown !== undefined && this.#outgrown[slotOf(this.#outgrown, fingerprint)] === fingerprint
  }

  #grow(): void {
    this.#outgrown = this.#slots
    this.#moved = 0
    this.#slots = new Float64Array(this.#outgrown.length * 2)
    this.#left = roomOf(this.#slots.length) - this.#size
    this.#move(this.#outgrown, MOVED_AT_ONCE)
  }

  /** Copies without clearing: an emptied slot would cut off those behind it. */
  #move(outgrown: Float64Array, slots: number): void {
    const end = Math.min(this.#moved + slots, outgrown.length)
    for (let from = this.#moved; from < end; from++) {
      const fingerprint = outgrown[from] as number
      this.#slots[slotOf(this.#slots, fingerprint)] = fingerprint
    }
    this.#moved = end
    if (end === outgrown.length) this.#outgrown = undefined
  }
}

/** How many fingerprints so many slots hold. */
function roomOf(slots: number): number {
  return Math.floor((slots * 7) / 10)
}

/** Where a fingerprint is, or the free slot where it belongs. */
function slotOf(slots: Float64Array, fingerprint: number): number {
  const mask = slots.length - 1
  let at = fingerprint & mask
  while (slots[at] !== FREE && slots[at] !== fingerprint) at = (at + 1) & mask
  return at
}
