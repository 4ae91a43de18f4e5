import type { Validator } from '@tallystick/core/internal'

/** Where the tables are. */
export interface InSchema {
  /**
   * The schema of the tables, or the database of MySQL, which is made if it is not there: one of its own, such as `payments`, keeps them
   * from the shop's migration tool. Default: the connection's database, in PostgreSQL by its `search_path`; if that names a schema that is
   * not there, the first use throws.
   */
  readonly schema?: string | undefined
}

/** PostgreSQL silently cuts a longer name. */
const MOST_BYTES = 63
export const SCHEMA: Validator = {
  wanted: `a text of 1 to ${MOST_BYTES} bytes that does not begin with pg_, such as 'payments'`,
  isRight: (value) =>
    typeof value === 'string' &&
    value.trim() === value &&
    value.isWellFormed() &&
    !/^$|^pg_|\p{Cc}/iu.test(value) &&
    Buffer.byteLength(value) <= MOST_BYTES,
}
