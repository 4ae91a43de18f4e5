/**
 * Why a sealed card or a sealed text does not open:
 *
 * - `UNKNOWN_KEY`: the key file has no wrapping key with the card's key id. Put the key back.
 * - `NOT_AUTHENTIC`: the bytes are not what was sealed, or another key has this id. Restore the bytes or the key.
 */
export type VaultErrorCode = 'UNKNOWN_KEY' | 'NOT_AUTHENTIC'

/** A sealed card or text does not open. The message may name the card and the key; it quotes nothing of either. */
export class VaultError extends Error {
  override readonly name = 'VaultError'
  readonly code: VaultErrorCode

  constructor(code: VaultErrorCode, message: string) {
    super(message)
    this.code = code
  }
}
