import type { Clock, Handler } from '@tallystick/client'
import type { Random } from '../../../../scripts/proof/random.ts'
import { after } from './machine-clock.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND

interface CallbackOptions {
  /** Of a process of the merchant's, if any runs just now. */
  readonly receiver: () => Handler | undefined
  readonly clock: Clock
  readonly random: Random
  readonly isCalm: () => boolean
}

/** Brings the callbacks of the gateway late, twice, or not at all: then it sends them again. */
export function callbacks({ receiver, clock, random, isCalm }: CallbackOptions) {
  return async (url: string): Promise<{ readonly status: number }> => {
    const fate = isCalm() ? undefined : random.below(10)
    const handle = receiver()
    if (fate === 0 || fate === 1 || handle === undefined) return { status: 503 }
    const inbound = { method: 'GET', query: new URL(url).search.slice(1) }
    if (fate === 2) {
      clock.schedule(random.below(10 * MINUTE), () => void (receiver() ?? handle)(inbound))
      return { status: 503 }
    }
    if (fate === 3) handle(inbound).catch(() => {})
    // Who is dead never answers: the gateway gives up.
    return await Promise.race([handle(inbound), after(15 * SECOND, clock).then(() => ({ status: 504 }))])
  }
}
