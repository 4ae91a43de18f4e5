import type { Selectable } from 'kysely'
import type { Delivery } from '../../callbacks/delivery.ts'
import type { Claim } from '../store.ts'
import type { Task } from '../task.ts'
import { agendaStatements } from './agenda-statements.ts'
import type { Database } from './database.ts'
import type { Queries } from './dialect.ts'
import type { DeliveriesTable, TasksTable } from './tables.ts'

/** Deliveries and tasks. What writes runs within the transaction of the commit queue. */
export interface AgendaTable {
  writeDelivery(delivery: Delivery, orderSeq: number): void
  /** `orderSeq` of the order that it is about, if it is about one. */
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
    writeDelivery: (delivery, seq) => void statements.writeDelivery.run({ delivery, seq }),
    writeTask: (task, seq) => void statements.writeTask.run({ task, seq }),
    removeTask: (id) => void statements.removeTask.run(id),
    hasDueDelivery: (now) => nextDelivery() <= now,
    hasDueTask: (now) => nextTask() <= now,
    claimDeliveries: (claim) =>
      statements.dueDeliveries.all(claim).map((row) => {
        statements.putOffDelivery.run({ row, until: claim.until })
        return { ...deliveryOf(row), dueAt: claim.until }
      }),
    claimTasks: (claim) =>
      statements.dueTasks.all(claim).map((row) => {
        statements.putOffTask.run({ row, until: claim.until })
        return { ...taskOf(row), dueAt: claim.until }
      }),
    nextDueAt: () => {
      const next = Math.min(nextDelivery(), nextTask())
      return Number.isFinite(next) ? next : undefined
    },
  }
}

interface OfOrder {
  readonly order_id: string
}

export function deliveryOf(row: Selectable<DeliveriesTable> & OfOrder): Delivery {
  return {
    id: row.delivery_id,
    orderId: row.order_id,
    url: row.url,
    createdAt: Number(row.created_at),
    dueAt: row.due_at === null ? undefined : Number(row.due_at),
    made: Number(row.made),
    firstAt: row.first_at === null ? undefined : Number(row.first_at),
    state: row.state,
    lastAnswer: row.last_answer ?? undefined,
  }
}

/** The table's own check says which columns each kind has. */
export function taskOf(row: Selectable<TasksTable> & { readonly order_id: string | null }): Task {
  const due = { id: row.task_id, dueAt: Number(row.due_at), tried: Number(row.tried) }
  const { kind, order_id, recurring_payment_id, charge_number, charge_date } = row
  if (kind !== 'charge') return { ...due, kind, orderId: order_id ?? '' }
  return {
    ...due,
    kind,
    recurringPaymentId: recurring_payment_id ?? '',
    number: Number(charge_number),
    date: charge_date ?? '',
  }
}
