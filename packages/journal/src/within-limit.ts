import type { Clock } from '@tallystick/client'
import { HandlerTimeoutError } from './handler-timeout-error.ts'

interface Limit {
  readonly clock: Clock
  readonly limitMs: number
  /** What is waited for, for the message. */
  readonly what: string
}

/**
 * What the merchant's function gives, if it ends in time.
 *
 * @throws HandlerTimeoutError when it does not; what the function throws
 */
export async function withinLimit(work: () => void | Promise<void>, { clock, limitMs, what }: Limit): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const cancel = clock.schedule(limitMs, () => reject(new HandlerTimeoutError(what, limitMs)))
  try {
    await Promise.race([work(), late])
  } finally {
    cancel()
  }
}
