import { errorUrl } from '@tallystick/core/internal'

/**
 * Why a store cannot be used:
 *
 * - `IN_USE`: another process has the file; stop it, or use another file.
 * - `NEWER`: a later version of this program wrote it.
 * - `FOREIGN`: the file, or the schema, is something else.
 * - `UNWRITABLE`: the file or its folder cannot be written to.
 * - `UNSOUND`: the file is damaged, has other tables, does not keep what is written, or was removed or replaced; restore a copy.
 * - `CLOSED`: it was closed, or a transaction could neither be committed nor rolled back; restart.
 * - `UNREACHABLE`: the database server does not answer; what was being written at that moment may have been stored.
 * - `CLOCK`: the clocks of this machine and of the database are too far apart; set them.
 * - `KEYS`: the cards in this store are under other keys; use the key file of the other processes, or the one used before.
 * - `EXPONENTS`: amounts in this store are counted with other decimals; set `exponents` to what it was.
 */
export type StoreErrorCode =
  | 'IN_USE'
  | 'NEWER'
  | 'FOREIGN'
  | 'UNWRITABLE'
  | 'UNSOUND'
  | 'CLOSED'
  | 'UNREACHABLE'
  | 'CLOCK'
  | 'KEYS'
  | 'EXPONENTS'

/** The store cannot be used. What it holds is unchanged. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
  readonly code: StoreErrorCode
  /** What to do about it, in the documentation. */
  readonly url: string

  constructor(code: StoreErrorCode, message: string) {
    super(message)
    this.code = code
    this.url = errorUrl('gateway', code)
  }
}

/** Describes a store whose version is known but whose tables are not those of that version. */
export function otherTables(name: string): string {
  return `${name} has other tables than this version of the gateway makes: a version from before the first release made it, or somebody has changed it; use a new store, or an intact copy`
}
