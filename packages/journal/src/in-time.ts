import type { Clock } from '@tallystick/client'

interface Limit<Result> {
  readonly clock: Clock
  readonly limitMs: number
  /** What stands for it when it is late. */
  readonly late: () => Result
}

/** What the work gives, if it ends in time; else what `late` gives or throws, and the work goes on alone. */
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
