import { randomFraction } from './system.ts'

/** Runs the task once this turn of the event loop has no more work. */
export function afterThisTurn(task: () => void): void {
  setImmediate(task)
}

/** Resolves after this many milliseconds. */
function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds)
  })
}

/** How a writer waits for a database that another writer has locked. */
export interface Waiting {
  /** Milliseconds since some fixed moment. */
  now(): number
  pause(milliseconds: number): Promise<void>
  /** From 0 to 1, so that two writers do not wait equally long. */
  fraction(): number
}

/** Uses a clock that cannot be set. */
export const systemWaiting: Waiting = {
  now: () => performance.now(),
  pause,
  fraction: randomFraction,
}
