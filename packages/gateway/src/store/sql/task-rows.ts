import type { Selectable } from 'kysely'
import type { Attempted, Delivery } from '../delivery.ts'
import type { Task } from '../task.ts'
import type { Readers } from './readers.ts'
import type { DeliveriesTable, TasksTable } from './tables.ts'

export interface DeliveryWrite {
  readonly delivery: Delivery
  readonly seq: number
}

export const DELIVERY_WRITE = {
  order_seq: ({ seq }) => seq,
  delivery_id: ({ delivery }) => delivery.id,
  url: ({ delivery }) => delivery.url,
  created_at: ({ delivery }) => delivery.createdAt,
  due_at: ({ delivery }) => delivery.dueAt ?? null,
  made: ({ delivery }) => delivery.made,
  first_at: ({ delivery }) => delivery.firstAt ?? null,
  state: ({ delivery }) => delivery.state,
  last_answer: ({ delivery }) => delivery.lastAnswer ?? null,
  given_up_at: ({ delivery }) => delivery.givenUpAt ?? null,
} satisfies Readers<DeliveryWrite>

export interface AttemptWrite extends Attempted {
  readonly seq: number
}

export const ATTEMPT_WRITE: Readers<AttemptWrite> = {
  ...DELIVERY_WRITE,
  claimed_until: ({ claimedUntil }) => claimedUntil ?? null,
}

export interface TaskWrite {
  readonly task: Task
  /** Of the order that it is about, if it is about one. */
  readonly seq: number | undefined
}

export const TASK_WRITE = {
  task_id: ({ task }) => task.id,
  due_at: ({ task }) => task.dueAt,
  kind: ({ task }) => task.kind,
  order_seq: ({ seq }) => seq ?? null,
  recurring_payment_id: ({ task }) => (task.kind === 'charge' ? task.recurringPaymentId : null),
  charge_number: ({ task }) => (task.kind === 'charge' ? task.number : null),
  charge_date: ({ task }) => (task.kind === 'charge' ? task.date : null),
  tried: ({ task }) => task.tried,
} satisfies Readers<TaskWrite>

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
    givenUpAt: row.given_up_at === null ? undefined : Number(row.given_up_at),
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
