import type { OperationKind, OperationStatus } from '@tallystick/core'
import type { ColumnType, Kysely } from 'kysely'
import type { Account } from '../../ledger/ledger.ts'
import type { CardReference } from '../../vault/sealed-card.ts'
import type { DeliveryState } from '../delivery.ts'
import type { OperatorRecord } from '../operator-record.ts'
import type { Task } from '../store.ts'

/** Read as `bigint`: amounts may be larger than a float counts exactly. */
type Whole = ColumnType<bigint, bigint | number, bigint | number>

/** As `Whole`, but an insert may omit it: SQLite numbers rows itself. */
type Numbered = ColumnType<bigint, bigint | number | undefined, bigint | number>

/** Kysely over the tables, whatever the database. */
export type Queries = Kysely<Tables>

/** All but that of the steps of the schema. They refer to an order by `order_seq`, which grows, so that new rows are stored and written next to each other. */
export interface Tables {
  readonly orders: OrdersTable
  readonly operations: OperationsTable
  readonly postings: PostingsTable
  readonly deliveries: DeliveriesTable
  readonly tasks: TasksTable
  readonly cards: CardsTable
  readonly card_references: CardReferencesTable
  readonly recurring_payments: RecurringPaymentsTable
  readonly nonces: NoncesTable
  readonly forgotten_nonces: ForgottenNoncesTable
  readonly key_checks: KeyChecksTable
  readonly operator_records: OperatorRecordsTable
  readonly probe: ProbeTable
}

/**
 * How many numbers of orders a node of PostgreSQL takes at once. It is part of the schema, so it never changes.
 */
export const SEQ_BLOCK = 256

/** Besides these columns an order has the sums that core's `sqlColumns` names. */
export interface OrdersTable {
  seq: Numbered
  order_id: string
  version: Whole
  login: string
  endpoint_id: string
  client_order_id: string
  /** How many earlier orders of the merchant have the client order id. Unique with both, so that only one order is the first. */
  repetition: Whole
  digest: string
  signed_as: string | null
  created_at: Whole
  changed_at: Whole
  currency: string
  settle_after: Whole
  hold_for: Whole
  payout_check_for: Whole
  page_token: string | null
  /** JSON of `OrderDetails`. */
  details: string
}

export interface OperationsTable {
  order_seq: Whole
  /** 0 for the operation that opened the order. It is shorter than the id, so other tables refer to it. */
  position: Whole
  operation_id: string
  kind: OperationKind
  amount: Whole
  status: OperationStatus
  created_at: Whole
  status_at: Whole
  serial_number: string
  token: string | null
  /** JSON of `OperationOutcome`. */
  outcome: string
}

interface PostingsTable {
  order_seq: Whole
  position: Whole
  account: Account
  amount: Whole
  currency: string
  at: Whole
}

export interface DeliveriesTable {
  order_seq: Whole
  delivery_id: string
  url: string
  created_at: Whole
  due_at: Whole | null
  made: Whole
  first_at: Whole | null
  state: DeliveryState
  last_answer: string | null
  /** When it was given up or refused: these have an index. */
  given_up_at: Whole | null
  /** In SQLite alone: when it became the work of the process that has the file. */
  claimed_at: ColumnType<bigint | null, undefined, bigint | null>
}

export interface TasksTable {
  task_id: string
  due_at: Whole
  kind: Task['kind']
  /** For the task of an order; the next three are for a charge. */
  order_seq: Whole | null
  recurring_payment_id: string | null
  charge_number: Whole | null
  charge_date: string | null
  tried: Whole
  /** In SQLite alone: as for a delivery. */
  claimed_at: ColumnType<bigint | null, undefined, bigint | null>
}

export interface CardsTable {
  seq: Numbered
  card_id: string
  login: string
  fingerprint: string
  key_id: string
  wrapped_key: Uint8Array
  sealed_pan: Uint8Array
  bin: string
  last_four_digits: string
  card_type: string
  cardholder_name: string | null
  expire_month: string | null
  expire_year: string | null
}

export interface CardReferencesTable {
  reference_id: string
  login: string
  card_id: string
  kind: CardReference['kind']
  created_at: Whole
  order_id: string | null
}

interface RecurringPaymentsTable {
  recurring_payment_id: string
  login: string
  client_order_id: string
  card_id: string
  version: Whole
  /** JSON of `RecurringPayment`, its amounts as text. */
  payment: string
}

interface NoncesTable {
  timestamp: Whole
  consumer_key: string
  nonce: string
}

/** Seconds of which nonces were forgotten: none of them is accepted any more. */
interface ForgottenNoncesTable {
  forgotten_from: Whole
  forgotten_before: Whole
}

/** The notes of `KeyNotes`: checks of the vault's keys, and the exponents. */
interface KeyChecksTable {
  key_name: string
  check_value: string
}

/** Rows are added only. They refer to no other table, and outlive what they are about. */
interface OperatorRecordsTable {
  seq: Numbered
  at: Whole
  who: string
  origin: string
  act: OperatorRecord['act']
  subject: string
  order_id: string | null
  state_before: string
  state_after: string
  reason: string
}

/** One row, which is written to see whether the store can be written to. */
interface ProbeTable {
  only: Whole
  written: Whole
}
