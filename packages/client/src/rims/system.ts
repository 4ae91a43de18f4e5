import { randomUUID } from 'node:crypto'

/** Where time comes from: milliseconds since 1970. */
export interface Clock {
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

/** A nonce that nobody can guess or meet again: 122 random bits. */
export function randomNonce(): string {
  return randomUUID().replaceAll('-', '')
}
