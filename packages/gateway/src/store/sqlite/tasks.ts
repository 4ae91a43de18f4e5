import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Attempted, Delivery } from '../delivery.ts'
import type { Readers } from '../sql/dialect.ts'
import { ATTEMPT_WRITE, DELIVERY_WRITE, type DeliveryWrite, deliveryOf, TASK_WRITE, taskOf } from '../sql/rows.ts'
import type { DeliveriesTable, Queries, TasksTable } from '../sql/tables.ts'
import type { Claim, Task } from '../store.ts'
import { type Database, preparedStatement, slot, slots, slotsOf } from './database.ts'

/** Deliveries and tasks. Methods that write run within the transaction of the commit queue. */
export interface AgendaTable {
  writeDelivery(write: DeliveryWrite): void
  writeAttempt(attempted: Attempted, orderSeq: number): void
  /** `orderSeq`: the order that the task is about, if it is about one. */
  writeTask(task: Task, orderSeq: number | undefined): void
  removeTask(id: string): void
  hasDueDelivery(now: number): boolean
  hasDueTask(now: number): boolean
  claimDeliveries(claim: Claim): readonly Delivery[]
  claimTasks(claim: Claim): readonly Task[]
  nextDueAt(): number | undefined
}

export function agendaTable(database: Database, queries: Queries): AgendaTable {
  const statements = agendaStatements(database, queries)

  function nextDelivery(): number {
    return Number(statements.nextDelivery.get(undefined)?.due_at ?? Infinity)
  }

  function nextTask(): number {
    return Number(statements.nextTask.get(undefined)?.due_at ?? Infinity)
  }

  return {
    writeDelivery: (write) => void statements.writeDelivery.run(write),
    writeAttempt: (attempted, seq) => void statements.writeAttempt.run({ ...attempted, seq }),
    writeTask: (task, seq) => void statements.writeTask.run({ task, seq }),
    removeTask: (id) => void statements.removeTask.run(id),
    hasDueDelivery: (now) => nextDelivery() <= now,
    hasDueTask: (now) => nextTask() <= now,
    claimDeliveries: (claim) =>
      statements.dueDeliveries.all(claim).map((row) => {
        statements.putOffDelivery.run({ row, claim })
        return { ...deliveryOf(row), dueAt: claim.until }
      }),
    claimTasks: (claim) =>
      statements.dueTasks.all(claim).map((row) => {
        statements.putOffTask.run({ row, claim })
        return { ...taskOf(row), dueAt: claim.until }
      }),
    nextDueAt: () => {
      const next = Math.min(nextDelivery(), nextTask())
      return Number.isFinite(next) ? next : undefined
    },
  }
}

/** One that is claimed as it is written was due when it was made. */
const CLAIMED_DELIVERY_WRITE = {
  ...DELIVERY_WRITE,
  claimed_at: ({ isClaimed, delivery }) => (isClaimed ? delivery.createdAt : null),
} satisfies Readers<DeliveryWrite>

const TASK_ID: Readers<string> = { task_id: (id) => id }
const CLAIM: Readers<Claim> = { now: ({ now }) => now, limit: ({ limit }) => limit }

interface PutOff<Row> {
  readonly row: Row
  readonly claim: Claim
}

const DELIVERY_PUT_OFF: Readers<PutOff<Selectable<DeliveriesTable>>> = {
  until: ({ claim }) => claim.until,
  now: ({ claim }) => claim.now,
  order_seq: ({ row }) => row.order_seq,
  delivery_id: ({ row }) => row.delivery_id,
}

const TASK_PUT_OFF: Readers<PutOff<Selectable<TasksTable>>> = {
  until: ({ claim }) => claim.until,
  now: ({ claim }) => claim.now,
  task_id: ({ row }) => row.task_id,
}

/** The statements over deliveries and tasks: they write, claim and put off. */
function agendaStatements(database: Database, queries: Queries) {
  return { ...deliveryStatements(database, queries), ...taskStatements(database, queries) }
}

function deliveryStatements(database: Database, queries: Queries) {
  return {
    writeDelivery: preparedStatement(
      database,
      CLAIMED_DELIVERY_WRITE,
      queries
        .insertInto('deliveries')
        .values(slotsOf(CLAIMED_DELIVERY_WRITE))
        .onConflict((conflict) =>
          conflict
            .columns(['order_seq', 'delivery_id'])
            .doUpdateSet(replaced(CLAIMED_DELIVERY_WRITE, 'order_seq', 'delivery_id')),
        ),
    ),
    writeAttempt: preparedStatement(
      database,
      ATTEMPT_WRITE,
      queries
        .updateTable('deliveries')
        .set({ ...slots(['due_at', 'made', 'first_at', 'state', 'last_answer', 'given_up_at']), claimed_at: null })
        .where('order_seq', '=', slot('order_seq'))
        .where('delivery_id', '=', slot('delivery_id'))
        .where('due_at', '=', slot('claimed_until')),
    ),
    nextDelivery: preparedStatement(
      database,
      {},
      queries
        .selectFrom('deliveries')
        .select(({ fn }) => fn.min('due_at').as('due_at'))
        .where('due_at', 'is not', null),
    ),
    dueDeliveries: preparedStatement(
      database,
      CLAIM,
      queries
        .selectFrom('deliveries')
        .innerJoin('orders', 'orders.seq', 'deliveries.order_seq')
        .selectAll('deliveries')
        .select('orders.order_id')
        .where('due_at', '<=', slot('now'))
        .orderBy('due_at')
        .orderBy('delivery_id')
        .limit(unplanned(slot('limit'))),
    ),
    putOffDelivery: preparedStatement(
      database,
      DELIVERY_PUT_OFF,
      queries
        .updateTable('deliveries')
        .set({ due_at: slot('until'), claimed_at: slot('now') })
        .where('order_seq', '=', slot('order_seq'))
        .where('delivery_id', '=', slot('delivery_id')),
    ),
  }
}

function taskStatements(database: Database, queries: Queries) {
  return {
    writeTask: preparedStatement(
      database,
      TASK_WRITE,
      queries
        .insertInto('tasks')
        .values(slotsOf(TASK_WRITE))
        .onConflict((conflict) =>
          conflict.column('task_id').doUpdateSet({ ...replaced(TASK_WRITE, 'task_id'), claimed_at: null }),
        ),
    ),
    removeTask: preparedStatement(
      database,
      TASK_ID,
      queries.deleteFrom('tasks').where('task_id', '=', slot('task_id')),
    ),
    nextTask: preparedStatement(
      database,
      {},
      queries.selectFrom('tasks').select(({ fn }) => fn.min('due_at').as('due_at')),
    ),
    dueTasks: preparedStatement(
      database,
      CLAIM,
      queries
        .selectFrom('tasks')
        .leftJoin('orders', 'orders.seq', 'tasks.order_seq')
        .selectAll('tasks')
        .select('orders.order_id')
        .where('due_at', '<=', slot('now'))
        .orderBy('due_at')
        .orderBy('task_id')
        .limit(unplanned(slot('limit'))),
    ),
    putOffTask: preparedStatement(
      database,
      TASK_PUT_OFF,
      queries
        .updateTable('tasks')
        .set({ due_at: slot('until'), claimed_at: slot('now') })
        .where('task_id', '=', slot('task_id')),
    ),
  }
}

/** What an existing row takes over from the one inserted: all but its key. */
function replaced<Read extends object, Key extends keyof Read>(readers: Read, ...key: readonly Key[]) {
  const names = Object.keys(readers).filter((name) => !key.some((each) => each === name))
  const given = names.map((name) => [name, sql.ref(`excluded.${name}`)])
  return Object.fromEntries(given) as { readonly [Name in Exclude<keyof Read, Key>]: RawBuilder<never> }
}

function unplanned(limit: number): RawBuilder<number> {
  return sql<number>`cast(${limit} as integer)`
}
