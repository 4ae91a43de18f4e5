/** A statement for the server. One with a name is parsed once for each connection. */
export interface Statement {
  readonly name?: string
  readonly text: string
  readonly values?: readonly unknown[]
}

/** Whole numbers come as `bigint`, bytes as `Uint8Array`. */
export type Row = Readonly<Record<string, unknown>>

export interface Answer {
  readonly rows: readonly Row[]
  readonly rowCount: number
  /** What the server did: for `COMMIT` it may say `ROLLBACK`. */
  readonly command: string
}

/** The rows as the caller's statement selects them; the driver cannot tell their type. */
export function rowsAs<As>(rows: readonly Row[]): readonly As[] {
  return rows as readonly unknown[] as readonly As[]
}
