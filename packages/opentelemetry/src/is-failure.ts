import type { CallEnded } from '@tallystick/client'

/**
 * Whether the call itself failed: nobody knows what became of it, it was not sent, or its signature was refused. Every other
 * refusal is an answer, and so is a decline: the shop deals with it, not an operator.
 */
export function isFailure({ outcome, code }: CallEnded): boolean {
  return outcome === 'unknown' || outcome === 'notSent' || code === 'AUTH_REJECTED'
}
