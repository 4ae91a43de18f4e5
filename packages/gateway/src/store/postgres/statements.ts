import type { OAuthNonce } from '@tallystick/signing/internal'
import { type ForgottenSpan, MOST_SPANS, SPAN_REACH_SECONDS } from '../nonce-window.ts'
import {
  ATTEMPT_WRITE,
  type AttemptWrite,
  DELIVERY_WRITE,
  type DeliveryRow,
  TASK_WRITE,
  type TaskWrite,
} from '../sql/rows.ts'
import type { Claim } from '../store.ts'
import { aliveNodes } from './cluster.ts'
import { cardStatements, orderReads, orderWrites, postingStatements } from './order-statements.ts'
import { type Columns, columns, rowsStatement, type Statement } from './statement.ts'

/** All statements that run often, over the tables of one schema. */
export type Statements = ReturnType<typeof statementsOver>

export function statementsOver(schema: string) {
  return {
    ...orderWrites(schema),
    ...orderReads(schema),
    ...postingStatements(schema),
    ...agendaStatements(schema),
    ...cardStatements(schema),
    ...nonceStatements(schema),
  }
}

const DELIVERY_COLUMNS = {
  ...columns('bigint', 'order_seq', 'created_at', 'due_at', 'made', 'first_at', 'given_up_at'),
  ...columns('text', 'delivery_id', 'url', 'state', 'last_answer'),
}

/** A delivery with the number of the process that claims it as it is written. */
export interface MarkedDelivery extends DeliveryRow {
  readonly claimedBy: bigint | null
}

/** The columns of a delivery that an attempt changes. */
const MOVED = {
  ...columns('bigint', 'due_at', 'made', 'first_at', 'given_up_at'),
  ...columns('text', 'state', 'last_answer'),
}

const ATTEMPT_COLUMNS = {
  ...columns('bigint', 'order_seq', 'claimed_until'),
  ...columns('text', 'delivery_id'),
  ...MOVED,
}

const TASK_COLUMNS = {
  ...columns('text', 'task_id', 'kind', 'recurring_payment_id', 'charge_date'),
  ...columns('bigint', 'due_at', 'order_seq', 'charge_number', 'tried'),
}

/** The statements over deliveries and tasks. Writing a row that was claimed ends that claim. */
function agendaStatements(schema: string) {
  return {
    writeDeliveries: rowsStatement<MarkedDelivery>({
      name: 'write_deliveries',
      columns: { ...DELIVERY_COLUMNS, ...columns('bigint', 'claimed_by') },
      readers: { ...DELIVERY_WRITE, claimed_by: ({ claimedBy }) => claimedBy },
      text: (rows, names) => `INSERT INTO ${schema}.deliveries (${names}) SELECT ${names} FROM ${rows}
        ON CONFLICT (order_seq, delivery_id) DO UPDATE SET ${replaced(DELIVERY_COLUMNS, 'order_seq', 'delivery_id')},
          claimed_by = excluded.claimed_by`,
    }),
    writeAttempts: rowsStatement<AttemptWrite>({
      name: 'write_attempts',
      columns: ATTEMPT_COLUMNS,
      readers: ATTEMPT_WRITE,
      text: (
        rows,
      ) => `UPDATE ${schema}.deliveries AS there SET ${assigned(Object.keys(MOVED), 'given')}, claimed_by = NULL FROM ${rows} WHERE there.order_seq = given.order_seq
        AND there.delivery_id = given.delivery_id AND there.due_at = given.claimed_until`,
    }),
    writeTasks: rowsStatement<TaskWrite>({
      name: 'write_tasks',
      columns: TASK_COLUMNS,
      readers: TASK_WRITE,
      text: (rows, names) => `INSERT INTO ${schema}.tasks (${names}) SELECT ${names} FROM ${rows}
        ON CONFLICT (task_id) DO UPDATE SET ${replaced(TASK_COLUMNS, 'task_id')}, claimed_by = NULL`,
    }),
    removeTasks: (ids: readonly string[]): Statement => {
      return { name: 'remove_tasks', text: `DELETE FROM ${schema}.tasks WHERE task_id = ANY($1)`, values: [ids] }
    },
    claimDeliveries: claim(schema, { table: 'deliveries', id: 'delivery_id', columns: DELIVERY_COLUMNS }),
    claimTasks: claim(schema, { table: 'tasks', id: 'task_id', columns: TASK_COLUMNS }),
    nextDueAt: {
      name: 'next_due_at',
      text: `SELECT least((SELECT min(due_at) FROM ${schema}.deliveries WHERE due_at IS NOT NULL),
        (SELECT min(due_at) FROM ${schema}.tasks)) AS due_at`,
    } satisfies Statement,
  }
}

function replaced(all: object, ...key: readonly string[]): string {
  const names = Object.keys(all).filter((name) => !key.includes(name))
  return assigned(names, 'excluded')
}

function assigned(names: readonly string[], source: string): string {
  return names.map((name) => `${name} = ${source}.${name}`).join(', ')
}

export interface NodeClaim extends Claim {
  readonly node: bigint
}

/** A table whose rows wait to be claimed. */
interface Claimable {
  readonly table: 'deliveries' | 'tasks'
  readonly id: string
  /** The columns to read, by name: another version of the gateway may have added more. */
  readonly columns: Columns
}

/**
 * Claims what is due, the earliest first, and what nodes that are gone had claimed. A claim is bound to the lease of its
 * node: any node may take the row when that lease is over, or at `until`. A node that does not count as alive at this
 * moment binds nothing, else it and the others would take the same rows from each other again and again. Rows that another
 * node is taking at the same instant are skipped: nothing is taken twice, and nobody waits. Rows are found again by their
 * place (`ctid`): a plan for any limit would read the whole table.
 */
function claim(schema: string, { table, id, columns: claimed }: Claimable) {
  const row = `ctid AS place, due_at AS was_due_at, order_seq AS seq, ${id} AS id`
  const text = `WITH due AS (
      SELECT ${row} FROM ${schema}.${table} WHERE due_at <= $1 ORDER BY due_at, ${id} LIMIT $3 FOR UPDATE SKIP LOCKED
    ), left_over AS (
      SELECT ${row} FROM ${schema}.${table} WHERE claimed_by IS NOT NULL AND due_at > $1
        AND claimed_by <> ALL (ARRAY(${aliveNodes(schema)})) LIMIT $3 FOR UPDATE SKIP LOCKED
    ), taken AS (SELECT * FROM due UNION ALL SELECT * FROM left_over), claimed AS (
      UPDATE ${schema}.${table} SET due_at = $2, claimed_by = (SELECT node_id FROM (${aliveNodes(schema)}) AS alive WHERE node_id = $4)
      WHERE ctid = ANY(ARRAY(SELECT place FROM taken)) RETURNING ${Object.keys(claimed).join(', ')}
    ) SELECT claimed.*, (SELECT order_id FROM ${schema}.orders WHERE orders.seq = claimed.order_seq) AS order_id
      FROM claimed JOIN taken ON taken.id = claimed.${id} AND taken.seq IS NOT DISTINCT FROM claimed.order_seq
      ORDER BY was_due_at, id`
  return ({ now, until, limit, node }: NodeClaim): Statement => ({
    name: `claim_${table}`,
    text,
    values: [now, until, limit, node],
  })
}

const FORGOTTEN_AT_ONCE = 10_000

/** Used nonces, for as long as their timestamp may be accepted, and which seconds were forgotten: no node accepts those. */
function nonceStatements(schema: string) {
  const spans = `${schema}.forgotten_nonces`
  return {
    /** Returns those that were fresh. */
    consume: rowsStatement<OAuthNonce>({
      name: 'consume_nonces',
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
