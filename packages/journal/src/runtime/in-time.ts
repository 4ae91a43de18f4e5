import type { Clock } from '@tallystick/client'
import { afterThisTurn } from './turns.ts'

interface Limit<Result> {
  readonly clock: Clock
  readonly limitMs: number
  /** Gives the result, or throws, if the work is late. */
  readonly late: () => Result
}

/**
 * The result of the work if it ends in time, else that of `late`. Late work goes on, and its result is ignored.
 *
 * The time passes in two halves, with a turn of the event loop in between: however far a clock jumps at once, work that needs no
 * time is not late.
 */
export async function inTime<Result>(
  work: () => Result | Promise<Result>,
  { clock, limitMs, late }: Limit<Result>,
): Promise<Result> {
  const { promise: isOver, resolve } = Promise.withResolvers<void>()
  let isDone = false
  const secondHalf = () => {
    if (!isDone) cancel = clock.schedule(limitMs / 2, resolve)
  }
  let cancel = clock.schedule(limitMs / 2, () => afterThisTurn(secondHalf))
  try {
    return await Promise.race([work(), isOver.then(late)])
  } finally {
    isDone = true
    cancel()
  }
}
