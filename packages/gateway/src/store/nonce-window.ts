import type { OAuthNonce } from '@tallystick/signing/internal'

/** How far a timestamp may be from the present in either direction, in seconds (gaps part 13). */
export const NONCE_WINDOW_SECONDS = 300

/**
 * A clock may be wrong, and be set right again: then a time in the past is the present once more. So used nonces are kept
 * for an hour longer than they are accepted, and the last `SPARE_NONCES` for as long as need be; whatever is forgotten is
 * written down, and refused from then on. So no jump of a clock lets a request in twice, and none shuts others out.
 */
export const NONCES_KEPT_SECONDS = NONCE_WINDOW_SECONDS + 3600

/** The default of `spareNonces`. */
export const SPARE_NONCES = 100_000

/** Forgotten seconds that are nearer together than this are one span: no second that is accepted now is in between. */
export const SPAN_REACH_SECONDS = 2 * NONCE_WINDOW_SECONDS

/** Beyond this many spans, all that is before the second one is forgotten as well. */
export const MOST_SPANS = 100

/** Seconds of which nonces were forgotten. */
export interface ForgottenSpan {
  readonly from: number
  readonly before: number
}

/** Whether the timestamp is near enough to `now`, in milliseconds since 1970. */
export function isInWindow({ timestamp }: OAuthNonce, now: number): boolean {
  return Math.abs(timestamp - now / 1000) <= NONCE_WINDOW_SECONDS
}
