import { DELIVERY_WRITE, type DeliveryWrite, TASK_WRITE, type TaskWrite } from '../sql/agenda-rows.ts'
import type { Claim } from '../store.ts'
import { columns, rowsStatement } from './rows-statement.ts'
import type { Statement } from './statement.ts'

const DELIVERY_COLUMNS = {
  ...columns('bigint', 'order_seq', 'created_at', 'due_at', 'made', 'first_at'),
  ...columns('text', 'delivery_id', 'url', 'state', 'last_answer'),
}

const TASK_COLUMNS = {
  ...columns('text', 'task_id', 'kind', 'recurring_payment_id', 'charge_date'),
  ...columns('bigint', 'due_at', 'order_seq', 'charge_number', 'tried'),
}

/** The statements that wait, claim and put off. */
export function agendaStatements(schema: string) {
  return {
    writeDeliveries: rowsStatement<DeliveryWrite>({
      name: 'write_deliveries',
      columns: DELIVERY_COLUMNS,
      readers: DELIVERY_WRITE,
      text: (rows, names) => `INSERT INTO ${schema}.deliveries (${names}) SELECT ${names} FROM ${rows}
        ON CONFLICT (order_seq, delivery_id) DO UPDATE SET ${replaced(DELIVERY_COLUMNS, 'order_seq', 'delivery_id')}`,
    }),
    writeTasks: rowsStatement<TaskWrite>({
      name: 'write_tasks',
      columns: TASK_COLUMNS,
      readers: TASK_WRITE,
      text: (rows, names) => `INSERT INTO ${schema}.tasks (${names}) SELECT ${names} FROM ${rows}
        ON CONFLICT (task_id) DO UPDATE SET ${replaced(TASK_COLUMNS, 'task_id')}`,
    }),
    removeTasks: (ids: readonly string[]): Statement => {
      return { name: 'remove_tasks', text: `DELETE FROM ${schema}.tasks WHERE task_id = ANY($1)`, values: [ids] }
    },
    claimDeliveries: claim('claim_deliveries', schema, 'deliveries', 'delivery_id'),
    claimTasks: claim('claim_tasks', schema, 'tasks', 'task_id'),
    nextDueAt: {
      name: 'next_due_at',
      text: `SELECT least((SELECT min(due_at) FROM ${schema}.deliveries WHERE due_at IS NOT NULL),
        (SELECT min(due_at) FROM ${schema}.tasks)) AS due_at`,
    } satisfies Statement,
  }
}

function replaced(all: object, ...key: readonly string[]): string {
  return Object.keys(all)
    .filter((name) => !key.includes(name))
    .map((name) => `${name} = excluded.${name}`)
    .join(', ')
}

/**
 * Takes what is due, the earliest first. What another node is taking at the same instant is passed over: nothing is taken
 * twice, and nobody waits. Rows are found again by their place: a plan for any limit would read the whole table.
 */
function claim(name: string, schema: string, table: string, id: string) {
  const text = `WITH due AS (
      SELECT ctid AS place, due_at AS was_due_at, order_seq AS seq, ${id} AS id FROM ${schema}.${table}
      WHERE due_at <= $1 ORDER BY due_at, ${id} LIMIT $3 FOR UPDATE SKIP LOCKED
    ), claimed AS (
      UPDATE ${schema}.${table} SET due_at = $2 WHERE ctid = ANY(ARRAY(SELECT place FROM due)) RETURNING *
    ) SELECT claimed.*, (SELECT order_id FROM ${schema}.orders WHERE orders.seq = claimed.order_seq) AS order_id
      FROM claimed JOIN due ON due.id = claimed.${id} AND due.seq IS NOT DISTINCT FROM claimed.order_seq
      ORDER BY was_due_at, id`
  return ({ now, until, limit }: Claim): Statement => ({ name, text, values: [now, until, limit] })
}
