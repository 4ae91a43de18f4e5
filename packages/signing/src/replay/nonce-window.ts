/**
 * How many fingerprints of seconds outside the window are kept all the same. A clock that was ahead and is right again finds
 * those from before there, unless so many requests came in between.
 */
const MOST_SPARE = 65_536
const MOST_SPANS = 100

/** Seconds of which nonces were forgotten: nothing of them is accepted any more, whatever the clock says later. */
interface Span {
  from: number
  before: number
}

/** Fingerprints by the second of their timestamp. What is forgotten is never accepted again, and nothing else is refused. */
export class NonceWindow {
  readonly #seconds = new Map<number, FingerprintSet>()
  readonly #windowSeconds: number
  readonly #limit: number
  readonly #forgotten: Span[] = []
  #size = 0

  /** @param windowSeconds Either side of the present. @param limit The most fingerprints to store. */
  constructor(windowSeconds: number, limit: number) {
    this.#windowSeconds = windowSeconds
    this.#limit = limit
  }

  /** `true` if the fingerprint is new in this second, the second is in the window and not forgotten, and there is room. */
  add(second: number, fingerprint: number, now: number): boolean {
    if (!this.#isInWindow(second, now) || this.#isForgotten(second)) return false
    if (this.#size >= this.#limit) this.#makeRoom(now)
    if (this.#size >= this.#limit) return false
    const known = this.#seconds.get(second)
    const set = known ?? new FingerprintSet()
    const isNew = set.add(fingerprint)
    if (isNew) this.#size++
    // Each new second pays for the old ones: two at most, so that no request waits for many.
    if (known === undefined) this.#begin(second, set, now)
    return isNew
  }

  #begin(second: number, set: FingerprintSet, now: number): void {
    this.#seconds.set(second, set)
    for (let left = 2; left > 0 && this.#size > MOST_SPARE; left--) if (!this.#forgetOne(now)) return
  }

  #makeRoom(now: number): void {
    while (this.#size >= this.#limit && this.#forgetOne(now));
  }

  /** Forgets the second that was begun first and is outside the window. */
  #forgetOne(now: number): boolean {
    for (const [second, { size }] of this.#seconds) {
      if (this.#isInWindow(second, now)) continue
      this.#seconds.delete(second)
      this.#size -= size
      this.#noteForgotten(second)
      return true
    }
    return false
  }

  #isInWindow(second: number, now: number): boolean {
    return second >= now - this.#windowSeconds && second <= now + this.#windowSeconds
  }

  #isForgotten(second: number): boolean {
    return this.#forgotten.some(({ from, before }) => second >= from && second < before)
  }

  #noteForgotten(second: number): void {
    // Less than a window apart: no second that is accepted now lies in between.
    const reach = 2 * this.#windowSeconds
    const near = this.#forgotten.find(({ from, before }) => second > from - reach && second < before + reach)
    if (near === undefined) this.#forgotten.push({ from: second, before: second + 1 })
    else {
      near.from = Math.min(near.from, second)
      near.before = Math.max(near.before, second + 1)
    }
    if (this.#forgotten.length <= MOST_SPANS) return
    this.#forgotten.sort((one, other) => one.from - other.from)
    const [, next] = this.#forgotten.splice(0, 2)
    if (next !== undefined) this.#forgotten.push({ from: Number.NEGATIVE_INFINITY, before: next.before })
  }
}

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
