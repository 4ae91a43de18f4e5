import type { BurnableNonce } from '@tallystick/signing'
import { type ForgottenSpan, MOST_SPANS, SPAN_REACH_SECONDS } from '../nonce-window.ts'
import { columns, rowsStatement } from './rows-statement.ts'
import type { Statement } from './statement.ts'

/** How many are forgotten at once. */
const FORGOTTEN_AT_ONCE = 10_000

/** Used nonces, for as long as their timestamp may be accepted, and which seconds were forgotten: no node accepts those. */
export function nonceStatements(schema: string) {
  const spans = `${schema}.forgotten_nonces`
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
        WHERE NOT EXISTS (SELECT FROM ${spans}
          WHERE given.timestamp >= forgotten_from AND given.timestamp < forgotten_before)
        ON CONFLICT DO NOTHING RETURNING ${names}`,
    }),
    /** The first seconds with nonces before `oldest`, if more than `spare` nonces are stored. No row: there is nothing to forget. */
    spanToForget: (oldest: number, spare: number): Statement => ({
      name: 'span_to_forget',
      text: `WITH nonce AS (SELECT timestamp AS first FROM ${schema}.nonces WHERE timestamp < $1
          AND EXISTS (SELECT FROM ${schema}.nonces OFFSET $2) ORDER BY timestamp LIMIT 1)
        SELECT first, (SELECT max(timestamp) FROM ${schema}.nonces
          WHERE timestamp < least($1, first + ${SPAN_REACH_SECONDS})) AS last FROM nonce`,
      values: [oldest, spare],
    }),
    /** Each of these leaves at least as much forgotten as before, whatever other nodes do meanwhile. */
    noteForgotten: ({ from, before }: ForgottenSpan): readonly Statement[] => [
      {
        name: 'note_forgotten',
        text: `WITH grown AS (UPDATE ${spans} SET forgotten_before = greatest(forgotten_before, $2::bigint)
            WHERE forgotten_from <= $1 AND forgotten_before > $1::bigint - ${SPAN_REACH_SECONDS} RETURNING 1)
          INSERT INTO ${spans} SELECT $1, $2 WHERE NOT EXISTS (SELECT FROM grown)`,
        values: [from, before],
      },
      {
        name: 'join_spans',
        text: `UPDATE ${spans} SET forgotten_from = 0 WHERE forgotten_before <=
          (SELECT forgotten_before FROM ${spans} ORDER BY forgotten_before DESC OFFSET ${MOST_SPANS - 1} LIMIT 1)`,
      },
      {
        name: 'drop_spans',
        text: `DELETE FROM ${spans} WHERE forgotten_before <
          (SELECT max(forgotten_before) FROM ${spans} WHERE forgotten_from = 0)`,
      },
    ],
    forget: ({ from, before }: ForgottenSpan): Statement => ({
      name: 'forget_nonces',
      text: `DELETE FROM ${schema}.nonces WHERE ctid = ANY(ARRAY(SELECT ctid FROM ${schema}.nonces
        WHERE timestamp >= $1 AND timestamp < $2 LIMIT ${FORGOTTEN_AT_ONCE} FOR UPDATE SKIP LOCKED))`,
      values: [from, before],
    }),
  }
}
