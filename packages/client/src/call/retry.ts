import { type Clock, randomFraction } from '../runtime/system.ts'

export interface Repetition {
  /** The most attempts, including the first. */
  readonly readAttempts: number
  /** Time limit of all attempts together. */
  readonly timeoutMs: number
  /** Real time, as of the transport, in milliseconds from any start. The clock of a test may skip days between two answers. */
  readonly now: () => number
  /** For the waits. */
  readonly clock: Clock
  readonly signal: AbortSignal | undefined
}

const FIRST_WAIT_MS = 200

/**
 * Repeats a read, after waits that double, each shortened at random to spread many callers. For reads alone: nothing else in
 * this library is ever sent twice.
 */
export async function readAgain<T>(
  ask: (timeoutMs: number) => Promise<T>,
  isWorthwhile: (error: unknown) => boolean,
  { readAttempts, timeoutMs, now, clock, signal }: Repetition,
): Promise<T> {
  const deadline = now() + timeoutMs
  for (let attempt = 1, left = timeoutMs; ; attempt++) {
    const wait = FIRST_WAIT_MS * 2 ** (attempt - 1) * (0.5 + randomFraction() / 2)
    try {
      return await ask(left)
    } catch (error) {
      left = Math.floor(deadline - now() - wait)
      if (attempt >= readAttempts || left < 1 || signal?.aborted || !isWorthwhile(error)) throw error
    }
    await new Promise<void>((resolve) => clock.schedule(wait, resolve))
  }
}
