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
