import { randomUUID } from 'node:crypto'
import type { Clock } from '@tallystick/client'

/** The machine's own time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  schedule: (delayMs, task) => {
    const timer = setTimeout(task, delayMs)
    return () => clearTimeout(timer)
  },
}

/** A number from 0 to 1, for jitter. Nothing secret depends on it. */
export function randomFraction(): number {
  return Math.random()
}

/** A name that no other process and no other intent has. */
export function randomName(): string {
  return randomUUID()
}

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

/** What a store has to know if the clock was set back. */
export interface ClockSetBack {
  readonly now: number
  /** No clock of a shop is further ahead than this: a later time was written before the clock was set back. */
  readonly latest: number
  /** How long a lease lasts. */
  readonly leaseMs: number
  /** How long an outcome is put off at most. */
  readonly putOffMs: number
}
