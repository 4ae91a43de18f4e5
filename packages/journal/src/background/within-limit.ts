import type { Clock } from '@tallystick/client'
import { HandlerTimeoutError } from '../runtime/handler-timeout-error.ts'
import { inTime } from '../runtime/in-time.ts'

interface Limit {
  readonly clock: Clock
  readonly limitMs: number
  /** The name of the work, for the message. */
  readonly what: string
}

/**
 * Waits for the merchant's function, if it ends in time.
 *
 * @throws HandlerTimeoutError when it does not; what the function throws
 */
export async function withinLimit(work: () => void | Promise<void>, { clock, limitMs, what }: Limit): Promise<void> {
  const late = () => {
    throw new HandlerTimeoutError(what, limitMs)
  }
  await inTime(work, { clock, limitMs, late })
}
