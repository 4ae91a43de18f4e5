import { FingerprintSet } from './fingerprint-set.ts'

const FINGERPRINT_END = 2 ** 53

/** A set of the fingerprints that begin with the same bits, and how many such numbers there are. */
type Shard = { readonly set: FingerprintSet; readonly reach: number }

/**
 * The fingerprints of one second, dealt out by their uppermost bits to sets of bounded size. One that is full is split by
 * its next bit (extendible hashing), so that a million in one second never stop the process to be moved all at once.
 */
export class FingerprintShards {
  /** One place for every smallest reach: a shard with a larger one stands in several, side by side. */
  #places: readonly Shard[] = [{ set: FingerprintSet.empty(), reach: FINGERPRINT_END }]
  #size = 0

  get size(): number {
    return this.#size
  }

  /** Adds a fingerprint: `false` when it is there already. */
  add(fingerprint: number): boolean {
    // Below the end there is a place for every number.
    const shard = this.#places[Math.floor(fingerprint / roomOf(this.#places))] as Shard
    if (!shard.set.add(fingerprint)) return false
    this.#size++
    if (shard.set.isFull) this.#split(shard)
    return true
  }

  #split(shard: Shard): void {
    const reach = shard.reach / 2
    const [lower, upper] = shard.set.split(reach)
    const halves = [
      { set: lower, reach },
      { set: upper, reach },
    ] as const
    const isInOnePlace = shard.reach === roomOf(this.#places)
    const places = isInOnePlace ? this.#places.flatMap((each) => [each, each]) : this.#places
    const room = roomOf(places)
    this.#places = places.map((each, at) => (each === shard ? halves[((at * room) / reach) % 2 < 1 ? 0 : 1] : each))
  }
}

/** How many numbers a place stands for. */
function roomOf(places: readonly Shard[]): number {
  return FINGERPRINT_END / places.length
}
