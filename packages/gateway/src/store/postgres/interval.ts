import type { RealTime } from '../../runtime/real-time.ts'

export interface Repeated {
  /** Stops the repetition. Resolves when the work under way has ended. */
  end(): Promise<void>
}

export interface RepeatTools {
  readonly time: RealTime
  readonly everyMs: number
  readonly onError: (error: unknown) => void
}

/** Does the work again and again, never twice at once. */
export function repeatedly(work: () => Promise<void>, { time, everyMs, onError }: RepeatTools): Repeated {
  let running: Promise<void> | undefined
  const stop = time.every(everyMs, () => {
    running ??= work()
      .catch(onError)
      .finally(() => {
        running = undefined
      })
  })
  return {
    end: async () => {
      stop()
      await running
    },
  }
}
