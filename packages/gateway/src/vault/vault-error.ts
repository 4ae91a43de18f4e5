/**
 * What is wrong with a sealed card, or a sealed text.
 *
 * - `UNKNOWN_KEY`: the key file has no wrapping key of the card's key id. Put the key back.
 * - `NOT_AUTHENTIC`: it is not what was sealed, or another key has this id. Restore it or the key.
 */
export type VaultErrorCode = 'UNKNOWN_KEY' | 'NOT_AUTHENTIC'

/** What was sealed cannot be opened. It names the card and the key, and holds nothing of either. */
export class VaultError extends Error {
  override readonly name = 'VaultError'
  readonly code: VaultErrorCode

  constructor(code: VaultErrorCode, message: string) {
    super(message)
    this.code = code
  }
}
