import type { Selectable } from 'kysely'
import type { Posting } from '../../ledger/ledger.ts'
import type { CardReference, SealedCard } from '../../vault/sealed-card.ts'
import type { Attempted, Delivery } from '../delivery.ts'
import { encodeRecurringPayment, type RecurringPayment } from '../recurring-payment.ts'
import type { Task } from '../store.ts'
import type { Readers } from './dialect.ts'
import type { CardReferencesTable, CardsTable, DeliveriesTable, TasksTable } from './tables.ts'

export interface DeliveryRow {
  readonly delivery: Delivery
  readonly seq: number
}

export interface DeliveryWrite extends DeliveryRow {
  /** Whether the process that writes it claims it. */
  readonly isClaimed: boolean
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
} satisfies Readers<DeliveryRow>

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

export const CARD = {
  card_id: ({ cardId }) => cardId,
  login: ({ login }) => login,
  fingerprint: ({ fingerprint }) => fingerprint,
  key_id: ({ keyId }) => keyId,
  wrapped_key: ({ wrappedKey }) => wrappedKey,
  sealed_pan: ({ sealedPan }) => sealedPan,
  bin: ({ bin }) => bin,
  last_four_digits: ({ lastFourDigits }) => lastFourDigits,
  card_type: ({ cardType }) => cardType,
  cardholder_name: ({ cardholderName }) => cardholderName ?? null,
  expire_month: ({ expireMonth }) => expireMonth ?? null,
  expire_year: ({ expireYear }) => expireYear ?? null,
} satisfies Readers<SealedCard>

export const REFERENCE = {
  reference_id: ({ referenceId }) => referenceId,
  login: ({ login }) => login,
  card_id: ({ cardId }) => cardId,
  kind: ({ kind }) => kind,
  created_at: ({ createdAt }) => createdAt,
  order_id: ({ orderId }) => orderId ?? null,
} satisfies Readers<CardReference>

export const RECURRING = {
  recurring_payment_id: ({ recurringPaymentId }) => recurringPaymentId,
  login: ({ login }) => login,
  client_order_id: ({ clientOrderId }) => clientOrderId,
  card_id: ({ cardId }) => cardId,
  version: ({ version }) => version,
  payment: encodeRecurringPayment,
} satisfies Readers<RecurringPayment>

export function cardOf(row: Omit<Selectable<CardsTable>, 'seq'>): SealedCard {
  return {
    cardId: row.card_id,
    login: row.login,
    fingerprint: row.fingerprint,
    keyId: row.key_id,
    wrappedKey: row.wrapped_key,
    sealedPan: row.sealed_pan,
    bin: row.bin,
    lastFourDigits: row.last_four_digits,
    cardType: row.card_type,
    cardholderName: row.cardholder_name ?? undefined,
    expireMonth: row.expire_month ?? undefined,
    expireYear: row.expire_year ?? undefined,
  }
}

/** The reference, if it is this merchant's. */
export function referenceOf(
  row: Selectable<CardReferencesTable> | undefined,
  login: string,
): CardReference | undefined {
  if (row?.login !== login) return undefined
  const { reference_id: referenceId, card_id: cardId, kind, created_at, order_id } = row
  const order = order_id === null ? {} : { orderId: order_id }
  return { referenceId, login, cardId, kind, createdAt: Number(created_at), ...order }
}

export interface PostingOperation {
  readonly seq: number
  readonly position: number
}

export interface PostingInsert extends PostingOperation {
  readonly posting: Posting
}

export const POSTING_INSERT = {
  order_seq: ({ seq }) => seq,
  position: ({ position }) => position,
  account: ({ posting }) => posting.account,
  amount: ({ posting }) => posting.amount,
  currency: ({ posting }) => posting.currency,
  at: ({ posting }) => posting.at,
} satisfies Readers<PostingInsert>
