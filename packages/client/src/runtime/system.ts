import { randomBytes, randomUUID } from 'node:crypto'
import type { Validator } from '@tallystick/core/internal'

/** The source of time, and the only way in which the client waits. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Runs the task once, after so many milliseconds. The result cancels it. */
  schedule(delayMs: number, task: () => void): () => void
}

export const systemClock: Clock = {
  now: () => Date.now(),
  schedule: (delayMs, task) => {
    const timer = setTimeout(task, delayMs)
    return () => clearTimeout(timer)
  },
}

/** The same, with timers that keep no process alive. */
export const backgroundClock: Clock = {
  now: () => Date.now(),
  schedule: (delayMs, task) => {
    const timer = setTimeout(task, delayMs).unref()
    return () => clearTimeout(timer)
  },
}

/** Milliseconds since this process began. Nobody sets this clock. */
export function passedMs(): number {
  return performance.now()
}

/** A nonce that nobody can guess or meet again: 122 random bits. */
export function randomNonce(): string {
  return randomUUID().replaceAll('-', '')
}

/** Unguessable bytes: client order ids are made of them. */
export function randomData(byteLength: number): Uint8Array {
  return randomBytes(byteLength)
}

/** A number from 0 to 1, for jitter. Nothing secret depends on it. */
export function randomFraction(): number {
  return Math.random()
}

/** @throws TypeError naming the option, if its value is not of this kind */
export function requireKind(option: string, value: unknown, { isRight, wanted }: Validator): void {
  if (!isRight(value)) throw new TypeError(`${option} must be ${wanted}`)
}
