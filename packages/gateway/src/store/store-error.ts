/**
 * Why a store cannot be used:
 *
 * - `IN_USE`: another process has the file; stop it, or take another file.
 * - `NEWER`: a later version of this program wrote it.
 * - `FOREIGN`: the file, or the schema, is something else.
 * - `UNWRITABLE`: the file or its folder cannot be written to.
 * - `UNSOUND`: the file is damaged, has other tables, does not keep what is written, or was removed or replaced; restore a copy.
 * - `CLOSED`: it was closed, or a transaction could neither be written nor taken back; start anew.
 * - `UNREACHABLE`: the server of the database does not answer; what was being written when it went may be there.
 * - `CLOCK`: the clocks of this machine and of the database are too far apart; set them.
 * - `KEYS`: others keep cards in this store under other keys; take their key file.
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

/** The store cannot be used; what it holds is as it was. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
  readonly code: StoreErrorCode

  constructor(code: StoreErrorCode, message: string) {
    super(message)
    this.code = code
  }
}

/** What is wrong with a store whose version is known and whose tables are not those of it. */
export function otherTables(name: string): string {
  return `${name} has other tables than this version of the gateway makes: one from before the first release made it, or somebody has changed it; take a store that is new, or a copy that is whole`
}
