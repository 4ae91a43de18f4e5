import { type Clock, randomFraction } from './rims/system.ts'

export interface Repetition {
  /** How often at most it is asked, the first time counted. */
  readonly attempts: number
  /** Until when there must be an answer, all attempts together. */
  readonly timeoutMs: number
  /** Time as the transport knows it, in milliseconds from any beginning. A clock of tests may pass days between two answers. */
  readonly now: () => number
  /** What is waited on. */
  readonly clock: Clock
  readonly signal: AbortSignal | undefined
}

const FIRST_WAIT_MS = 200

/**
 * Asks again what only reads, after waits that double, each shortened by chance to spread many callers. For reads alone:
 * nothing else in this library is ever sent twice.
 */
export async function readAgain<T>(
  ask: (timeoutMs: number) => Promise<T>,
  isWorthwhile: (error: unknown) => boolean,
  { attempts, timeoutMs, now, clock, signal }: Repetition,
): Promise<T> {
  const deadline = now() + timeoutMs
  for (let attempt = 1, left = timeoutMs; ; attempt++) {
    const wait = FIRST_WAIT_MS * 2 ** (attempt - 1) * (0.5 + randomFraction() / 2)
    try {
      return await ask(left)
    } catch (error) {
      left = Math.floor(deadline - now() - wait)
      if (attempt >= attempts || left < 1 || signal?.aborted || !isWorthwhile(error)) throw error
    }
    await new Promise<void>((resolve) => clock.schedule(wait, resolve))
  }
}
