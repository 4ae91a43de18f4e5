import { FingerprintSet } from './fingerprint-set.ts'

const SHARDS = 16
/** Divides a fingerprint of 53 bits down to its uppermost four; a set looks at the lowest ones. */
const SHARD_UNIT = 2 ** 49

/**
 * The fingerprints of one second, dealt out to sixteen sets: each grows by itself, so that a million in one second never
 * stop the process to be moved all at once.
 */
export class FingerprintShards {
  readonly #shards = Array.from<FingerprintSet | undefined>({ length: SHARDS })
  #size = 0

  get size(): number {
    return this.#size
  }

  /** Adds a fingerprint: `false` when it is there already. */
  add(fingerprint: number): boolean {
    const at = Math.floor(fingerprint / SHARD_UNIT)
    const shard = this.#shards[at] ?? new FingerprintSet()
    this.#shards[at] = shard
    const isNew = shard.add(fingerprint)
    if (isNew) this.#size++
    return isNew
  }
}
