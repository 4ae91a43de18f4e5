import { randomFraction } from './system.ts'

/** Runs it once no more work is on its way in this turn of the event loop. */
export function afterThisTurn(task: () => void): void {
  setImmediate(task)
}

/** Resolves after so many milliseconds: another process has the database. */
function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds)
  })
}

/** How a writer waits for a database that another one has. */
export interface Waiting {
  /** Milliseconds from some moment on. */
  now(): number
  pause(milliseconds: number): Promise<void>
  /** From 0 to 1, so that two do not wait alike. */
  fraction(): number
}

/** By a clock that nobody sets. */
export const systemWaiting: Waiting = {
  now: () => performance.now(),
  pause,
  fraction: randomFraction,
}
