import type { Clock } from '../clock.ts'
import type { LimitListener } from '../listeners.ts'

/** Counts how often a card is tried in vain, so that nobody finds its CVV or its expiry by trying. */
export interface CardTries {
  /** Counts a try. Returns after how many seconds the next one is allowed, if this one is not. */
  take(login: string, fingerprint: string): number | undefined
  /** An approved payment is no try. */
  approved(login: string, fingerprint: string): void
  /** Whether there is a limit at all. */
  readonly isLimited: boolean
}

/** Ten tries an hour find one CVV of three digits in some days, and a customer who has typed ten wrong ones gives up. */
export const MOST_TRIES_PER_CARD = 10
const WINDOW_MS = 3_600_000
/** The oldest are forgotten first. */
const MOST_CARDS = 100_000

/** A card was tried too often in vain. */
export class TriedTooOftenError extends Error {
  readonly afterSeconds: number

  constructor(afterSeconds: number) {
    super('A card was tried too often')
    this.afterSeconds = afterSeconds
  }
}

interface CardTriesOptions {
  readonly clock: Clock
  readonly most: number
  readonly onLimit: LimitListener
}

/**
 * Per merchant, since one must not be able to block the customers of another. Only this process knows: on several, a card has as
 * many tries on each.
 */
export function cardTries({ clock, most, onLimit }: CardTriesOptions): CardTries {
  const triedAt = new Map<string, readonly number[]>()
  return {
    isLimited: most !== Number.POSITIVE_INFINITY,
    take: (login, fingerprint) => {
      if (most === Number.POSITIVE_INFINITY) return undefined
      const name = `${login} ${fingerprint}`
      const now = clock.now()
      // What lies ahead was noted before the clock was set back.
      const counted = (triedAt.get(name) ?? []).filter((at) => at > now - WINDOW_MS && at <= now)
      const [oldest = now] = counted
      if (counted.length >= most) {
        onLimit({ limit: 'tries-per-card', login })
        return Math.ceil((oldest + WINDOW_MS - now) / 1000)
      }
      triedAt.delete(name)
      triedAt.set(name, [...counted, now])
      const [first] = triedAt.keys()
      if (triedAt.size > MOST_CARDS && first !== undefined) triedAt.delete(first)
      return undefined
    },
    approved: (login, fingerprint) => {
      const name = `${login} ${fingerprint}`
      const rest = triedAt.get(name)?.slice(0, -1) ?? []
      if (rest.length === 0) triedAt.delete(name)
      else triedAt.set(name, rest)
    },
  }
}
