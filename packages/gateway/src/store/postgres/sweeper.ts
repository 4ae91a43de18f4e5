import type { RealTime } from '../../rims/real-time.ts'

const SWEPT_EVERY_MS = 10_000

export interface Sweeper {
  /** Resolves when the sweep that is under way has ended. */
  end(): Promise<void>
}

/** Sweeps now and then, never twice at once. */
export function sweeper(time: RealTime, sweep: () => Promise<void>, onError: (error: unknown) => void): Sweeper {
  let running: Promise<void> | undefined
  const stop = time.every(SWEPT_EVERY_MS, () => {
    running ??= sweep()
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
