import type { ReplayGuard } from '../../src/index.ts'

/** A plain replay guard to compare with: it stores each nonce as text, and forgets none. */
export function plainGuard(windowSeconds: number): ReplayGuard {
  const used = new Set<string>()
  return {
    consume: ({ consumerKey, nonce, timestamp }, now) => {
      const key = JSON.stringify([consumerKey, timestamp, nonce])
      if (Math.abs(timestamp - now) > windowSeconds || used.has(key)) return false
      used.add(key)
      return true
    },
  }
}
