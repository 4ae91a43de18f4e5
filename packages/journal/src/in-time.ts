import type { Clock } from '@tallystick/client'

interface Limit<Result> {
  readonly clock: Clock
  readonly limitMs: number
  /** Gives the result, or throws, if the work is late. */
  readonly late: () => Result
}

/** The result of the work if it ends in time, else that of `late`. Late work goes on, and its result is ignored. */
export async function inTime<Result>(
  work: () => Result | Promise<Result>,
  { clock, limitMs, late }: Limit<Result>,
): Promise<Result> {
  const { promise: isOver, resolve } = Promise.withResolvers<void>()
  const cancel = clock.schedule(limitMs, resolve)
  try {
    return await Promise.race([work(), isOver.then(late)])
  } finally {
    cancel()
  }
}
