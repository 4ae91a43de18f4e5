import type { PaymentError } from '@tallystick/core'
import { type Clock, randomFraction } from './rims/system.ts'

export interface Repetition {
  /** How often at most it is asked, the first time counted. */
  readonly attempts: number
  readonly clock: Clock
  readonly signal: AbortSignal | undefined
}

const FIRST_WAIT_MS = 200

/**
 * Asks again what only reads, after waits that double, each shortened by chance to spread many callers. For reads alone:
 * nothing else in this library is ever sent twice.
 */
export async function readAgain<T>(
  ask: () => Promise<T>,
  isWorthwhile: (error: unknown) => boolean,
  { attempts, clock, signal }: Repetition,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask()
    } catch (error) {
      if (attempt >= attempts || signal?.aborted || !isWorthwhile(error)) throw error
    }
    const wait = FIRST_WAIT_MS * 2 ** (attempt - 1)
    await new Promise<void>((resolve) => clock.schedule(wait * (0.5 + randomFraction() / 2), resolve))
  }
}

/** Whether asking again can help: nothing was sent, or what came back was no answer. */
export function mayBeAskedAgain(error: Pick<PaymentError, 'retry'>): boolean {
  return error.retry === 'safe'
}
