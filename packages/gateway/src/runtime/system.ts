import { randomBytes, randomFillSync, randomInt, randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers'
import { setTimeout as pause } from 'node:timers/promises'
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

/** Numbers from 0 to 1 that are the same for the same seed (Steele and others, SplitMix, 2014, in 32 bits). */
export function seededFraction(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x9e3779b9) | 0
    const mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
    const again = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
    return ((again ^ (again >>> 15)) >>> 0) / 2 ** 32
  }
}

/**
 * Time that no test sets, for what happens between processes and their server: how long to wait for an answer, and whether
 * this process still counts as alive.
 */
export interface RealTime {
  /** Milliseconds that only go up. */
  now(): number
  /** The time of this machine's clock, which may be set: milliseconds since 1970. */
  date(): number
  pause(milliseconds: number): Promise<unknown>
  /** Does the work again and again, until the function returned is called. Does not keep the process alive. */
  every(milliseconds: number, work: () => void): () => void
}

export const realTime: RealTime = {
  now: () => performance.now(),
  date: () => Date.now(),
  pause: (milliseconds) => pause(milliseconds),
  every: (milliseconds, work) => {
    const timer = setInterval(work, milliseconds).unref()
    return () => clearInterval(timer)
  },
}

// Not the global one, which a test may have replaced by a fake that it drives.

/** Runs the work when this turn of the event loop ends. Keeps the process alive until then. */
export function afterTurn(work: () => void): void {
  setImmediate(work)
}

/**
 * Runs the work when this turn of the event loop and the next have read all input. With 64 connections a commit then has
 * twice as many changes as after one turn, and fifty times as many as after a microtask. Keeps the process alive until then.
 */
export function afterNextTurn(work: () => void): void {
  setImmediate(() => setImmediate(work))
}

const POOL_BYTES = 4096

/**
 * Randomness of the system for keys and initialisation vectors, drawn a page at a time, because a draw costs more than the
 * few bytes that one card takes. Bytes that were given out are wiped from the page.
 */
export function pooledRandomness(draw: RandomFill = (target) => void randomFillSync(target)): RandomFill {
  const pool = new Uint8Array(POOL_BYTES)
  let used = POOL_BYTES
  return (target) => {
    if (target.length > POOL_BYTES) return draw(target)
    if (used + target.length > POOL_BYTES) {
      draw(pool)
      used = 0
    }
    const taken = pool.subarray(used, used + target.length)
    target.set(taken)
    taken.fill(0)
    used += target.length
  }
}

/** Fills the bytes with randomness that keys may be made of. */
export type RandomFill = (target: Uint8Array) => void
