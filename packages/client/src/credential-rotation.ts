import type { Credentials } from './credentials.ts'

/** First the credentials that sign, then the previous ones, with which callbacks may still be signed. */
export type Signers = readonly [Credentials, ...Credentials[]]

/** If the control key is the same, as when a setting is read again, the previous one stays in force. */
export function withNew(next: Credentials, [current, ...previous]: Signers): Signers {
  const isSame = next.controlKey.reveal() === current.controlKey.reveal()
  return [next, ...(isSame ? previous : [current])]
}
