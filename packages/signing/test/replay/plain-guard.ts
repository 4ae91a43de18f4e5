import type { ReplayGuard } from '../../src/index.ts'

/** A plain replay guard to compare with: it stores each nonce as text, and looks through all of them. */
export function plainGuard(windowSeconds: number): ReplayGuard {
  const timestamps = new Map<string, number>()
  let latest = Number.NEGATIVE_INFINITY
  return {
    burn: ({ consumerKey, nonce, timestamp }, now) => {
      latest = Math.max(latest, now)
      for (const [key, old] of timestamps) if (old < latest - windowSeconds) timestamps.delete(key)
      const key = JSON.stringify([consumerKey, timestamp, nonce])
      if (timestamp < latest - windowSeconds || timestamp > now + windowSeconds || timestamps.has(key)) return false
      timestamps.set(key, timestamp)
      return true
    },
  }
}
