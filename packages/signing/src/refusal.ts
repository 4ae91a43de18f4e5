/**
 * A failed check, as a value: `reason` is a literal to branch on and to log, `message` one sentence for people. Neither
 * holds a key, a signature or a value of the request, so both may be logged. Tell a stranger neither:
 * the specification's answer to a bad signature is one plain 403.
 */
export type Refusal<Reason extends string> = {
  readonly ok: false
  readonly reason: Reason
  readonly message: string
}

/** Builds a {@link Refusal}. */
export function refuse<const Reason extends string>(reason: Reason, message: string): Refusal<Reason> {
  return { ok: false, reason, message }
}
