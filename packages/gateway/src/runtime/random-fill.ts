import { randomFillSync } from 'node:crypto'
import type { FillRandomly } from './random-source.ts'

const POOL_BYTES = 4096

/**
 * Randomness of the system for keys and initialisation vectors, drawn a page at a time, because a draw costs more than the
 * few bytes that one card takes. Bytes that were given out are wiped from the page.
 */
export function pooledRandomness(draw: FillRandomly = (target) => void randomFillSync(target)): FillRandomly {
  const pool = new Uint8Array(POOL_BYTES)
  let used = POOL_BYTES
  return (target) => {
    if (target.length > POOL_BYTES) return draw(target)
    if (used + target.length > POOL_BYTES) {
      draw(pool)
      used = 0
    }
    const taken = pool.subarray(used, used + target.length)
    target.set(taken)
    taken.fill(0)
    used += target.length
  }
}
