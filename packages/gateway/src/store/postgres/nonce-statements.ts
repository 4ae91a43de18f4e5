import type { BurnableNonce } from '@tallystick/signing'
import { columns, rowsStatement } from './rows-statement.ts'
import type { Statement } from './statement.ts'

/** How many are forgotten at once. */
const FORGOTTEN_AT_ONCE = 10_000

/**
 * Used nonces, for as long as their timestamp is accepted. Every node refuses timestamps before `nonce_window`: the latest
 * time that any node has seen decides.
 */
export function nonceStatements(schema: string) {
  const window = `(SELECT forgotten_before FROM ${schema}.nonce_window)`
  return {
    /** Returns those that were fresh. */
    burn: rowsStatement<BurnableNonce>({
      name: 'burn_nonces',
      columns: { ...columns('bigint', 'timestamp'), ...columns('text', 'consumer_key'), ...columns('bytea', 'nonce') },
      readers: {
        timestamp: ({ timestamp }) => timestamp,
        consumer_key: ({ consumerKey }) => consumerKey,
        nonce: ({ nonce }) => Buffer.from(nonce),
      },
      text: (rows, names) => `INSERT INTO ${schema}.nonces (${names}) SELECT ${names} FROM ${rows}
        WHERE given.timestamp >= ${window} ON CONFLICT DO NOTHING RETURNING ${names}`,
    }),
    /** Returns the window that holds, which may be later. */
    raiseWindow: (second: number): Statement => ({
      name: 'raise_window',
      text: `WITH raised AS (UPDATE ${schema}.nonce_window SET forgotten_before = $1 WHERE forgotten_before < $1)
        SELECT greatest($1::bigint, forgotten_before) AS forgotten_before FROM ${schema}.nonce_window`,
      values: [second],
    }),
    forgetBefore: (second: number): Statement => ({
      name: 'forget_nonces',
      text: `DELETE FROM ${schema}.nonces WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM ${schema}.nonces WHERE timestamp < least($1, ${window}) LIMIT ${FORGOTTEN_AT_ONCE} FOR UPDATE SKIP LOCKED))`,
      values: [second],
    }),
  }
}
