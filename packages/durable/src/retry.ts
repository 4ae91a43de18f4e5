/** Time that no test sets, for waits between processes and their database. */
export interface RetryTime {
  /** Milliseconds since some fixed moment. */
  now(): number
  pause(milliseconds: number): Promise<unknown>
}

export interface RetryOptions {
  readonly time: RetryTime
  /** Whether the work may succeed when it is done again. */
  readonly isPassing: (error: unknown) => boolean
  /** After this time it is not tried again, once it was tried `leastTries` times. */
  readonly timeoutMs: number
  /** Default 1. */
  readonly leastTries?: number
  /** Default: no limit. */
  readonly mostTries?: number
  /** How long to wait after so many tries. */
  readonly pauseMs: (tries: number) => number
}

/**
 * Does the work, and does it again while its errors are passing ones. The work is given the deadline.
 *
 * @throws what the last try threw
 */
export async function retry<Result>(
  work: (end: number) => Result | Promise<Result>,
  { time, isPassing, timeoutMs, leastTries = 1, mostTries = Number.POSITIVE_INFINITY, pauseMs }: RetryOptions,
): Promise<Result> {
  const end = time.now() + timeoutMs
  for (let tries = 1; ; tries++) {
    try {
      return await work(end)
    } catch (error) {
      if (!isPassing(error) || tries >= mostTries || (tries >= leastTries && time.now() >= end)) throw error
    }
    await time.pause(pauseMs(tries))
  }
}
