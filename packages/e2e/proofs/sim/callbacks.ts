import type { Clock, Handler } from '@tallystick/client'
import type { Random } from '@tallystick/proof-kit'
import { after } from './machine-clock.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND

interface CallbackOptions {
  /** The callback handler of one of the merchant's processes, if one runs just now. */
  readonly receiver: () => Handler | undefined
  readonly clock: Clock
  readonly random: Random
  readonly isCalm: () => boolean
}

/** Delivers the gateway's callbacks late, twice, or not at all: then the gateway sends them again. */
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
    // A dead process never answers: the gateway gives up.
    return await Promise.race([handle(inbound), after(15 * SECOND, clock).then(() => ({ status: 504 }))])
  }
}
