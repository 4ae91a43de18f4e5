import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import type { Clock } from './clock.ts'

/** The machine's own time. Timers do not keep a process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  schedule: (delayMs, task) => {
    const timer = setTimeout(() => void task(), delayMs).unref()
    return () => clearTimeout(timer)
  },
}

/** Makes the ids that the gateway gives out. */
export interface Ids {
  /** Decimal text of exactly 15 digits without a leading zero (gaps part 13). One that begins with 9 is not masked in a log. */
  orderId(): string
  /** A UUID (gaps part 13). */
  serialNumber(): string
  /** 128 bits that nobody can guess, in base64url: the address of a hosted page. */
  pageToken(): string
}

export const randomIds: Ids = {
  // Nobody takes it for a card number: see `maskCardNumbers`.
  orderId: () => `9${String(randomInt(100_000_000_000_000)).padStart(14, '0')}`,
  serialNumber: () => randomUUID(),
  pageToken: () => randomBytes(16).toString('base64url'),
}

/** A key that lives as long as the process. */
export function randomSecret(byteLength: number): Uint8Array {
  return randomBytes(byteLength)
}

/** A number from 0 to 1, for jitter. Nothing secret depends on it. */
export function randomFraction(): number {
  return Math.random()
}
