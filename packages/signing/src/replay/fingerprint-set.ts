const FIRST_SLOTS = 16
const MOST_SLOTS = 4096
const FREE = 0

/**
 * A set of fingerprints (whole numbers up to 53 bits, evenly spread) in one typed array: open addressing, at most four
 * slots of five in use, doubled when it needs more, up to a size that is moved in a moment. It knows nothing of keys and
 * of time; a `Set<number>` does the same with four times the memory, and is its reference in the tests.
 */
export class FingerprintSet {
  #slots: Float64Array
  #left: number

  private constructor(slots: number) {
    this.#slots = new Float64Array(slots)
    this.#left = roomOf(slots)
  }

  /** An empty one. */
  static empty(): FingerprintSet {
    return new FingerprintSet(FIRST_SLOTS)
  }

  /** It is to be split. The fifth of the slots that is free leaves time, should a half be full again. */
  get isFull(): boolean {
    return this.#left <= 0
  }

  /** Adds a fingerprint: `false` when it is in the set already. What marks a free slot finds one, and adds nothing. */
  add(fingerprint: number): boolean {
    const slots = this.#slots
    const at = slotOf(slots, fingerprint)
    if (slots[at] === fingerprint) return false
    slots[at] = fingerprint
    this.#left--
    if (this.#left === 0 && slots.length < MOST_SLOTS) this.#grow()
    return true
  }

  /** Deals its fingerprints out to two sets, by one bit of them: that of the value `bit`. */
  split(bit: number): readonly [lower: FingerprintSet, upper: FingerprintSet] {
    const [lower, upper] = [new FingerprintSet(MOST_SLOTS), new FingerprintSet(MOST_SLOTS)]
    for (const slot of this.#slots) (Math.floor(slot / bit) % 2 === 0 ? lower : upper).add(slot)
    return [lower, upper]
  }

  #grow(): void {
    const larger = new FingerprintSet(this.#slots.length * 2)
    for (const slot of this.#slots) larger.add(slot)
    this.#slots = larger.#slots
    this.#left = larger.#left
  }
}

/** How many fingerprints so many slots hold. */
function roomOf(slots: number): number {
  return Math.floor((slots * 4) / 5)
}

/** Where a fingerprint is, or the free slot where it belongs. */
function slotOf(slots: Float64Array, fingerprint: number): number {
  const mask = slots.length - 1
  let at = fingerprint & mask
  while (slots[at] !== FREE && slots[at] !== fingerprint) at = (at + 1) & mask
  return at
}
