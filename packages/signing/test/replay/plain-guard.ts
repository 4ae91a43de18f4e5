import type { ReplayGuard } from '../../src/index.ts'

/** What the replay guard does, written the plain way: every nonce as text, looked through one by one. */
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
