import type { SealedCard } from '../../vault/sealed-card.ts'
import type { RecurringPayment } from '../recurring-payment.ts'
import type { KnownOrder } from '../sql/order-cache.ts'
import {
  OPERATION_INSERT,
  OPERATION_UPDATE,
  type OperationRow,
  type OperationWrite,
  ORDER_COLUMNS,
  ORDER_INSERT,
  ORDER_UPDATE,
  type OrderInsert,
  type OrderRow,
  type OrderUpdate,
  orderOf,
  SUM_COLUMNS,
} from '../sql/order-rows.ts'
import { RECORD_INSERT } from '../sql/queries.ts'
import { CARD, POSTING_INSERT, RECURRING, REFERENCE } from '../sql/rows.ts'
import type { OrderNames } from '../store.ts'
import { columns, type Row, rowsAs, rowsStatement, type Statement } from './statement.ts'

/** An order to write, under a number that was taken for it. */
export interface NumberedInsert extends OrderInsert {
  readonly seq: number
}

export interface MarkedOperation extends OperationWrite {
  readonly node: bigint
}

/** An operation that is sent is marked with the node that sends it. */
const sentBy = ({ operation, node }: MarkedOperation) => (operation.status === 'sent' ? node : null)

const WRITTEN_ORDER = {
  ...columns('bigint', 'seq', 'version', 'changed_at', ...SUM_COLUMNS),
  ...columns('text', 'page_token', 'details'),
}

/** The statements that write orders and their operations, many at once. */
export function orderWrites(schema: string) {
  return {
    /** Returns the ids of those that it inserted: none of their names was there before. */
    insertOrders: rowsStatement<NumberedInsert>({
      name: 'insert_orders',
      columns: {
        ...WRITTEN_ORDER,
        ...columns('text', 'order_id', 'login', 'endpoint_id', 'client_order_id', 'digest', 'signed_as', 'currency'),
        ...columns('bigint', 'repetition', 'created_at', 'settle_after', 'hold_for', 'payout_check_for'),
      },
      readers: { ...ORDER_INSERT, seq: ({ seq }) => seq },
      text: (rows, names) =>
        `INSERT INTO ${schema}.orders (${names}) SELECT ${names} FROM ${rows} ON CONFLICT DO NOTHING RETURNING order_id`,
    }),
    /** Returns the ids of those that still had the version that they were decided on. */
    updateOrders: rowsStatement<OrderUpdate>({
      name: 'update_orders',
      columns: { ...WRITTEN_ORDER, ...columns('bigint', 'before') },
      readers: ORDER_UPDATE,
      text: (rows) => `UPDATE ${schema}.orders SET version = given.version, changed_at = given.changed_at,
        page_token = given.page_token, details = coalesce(given.details, orders.details),
        ${SUM_COLUMNS.map((name) => `${name} = given.${name}`).join(', ')}
        FROM ${rows} WHERE orders.seq = given.seq AND orders.version = given.before RETURNING orders.order_id`,
    }),
    insertOperations: rowsStatement<MarkedOperation>({
      name: 'insert_operations',
      columns: {
        ...columns('bigint', 'order_seq', 'position', 'amount', 'created_at', 'status_at', 'sent_by'),
        ...columns('text', 'operation_id', 'kind', 'status', 'serial_number', 'token', 'outcome'),
      },
      readers: { ...OPERATION_INSERT, sent_by: sentBy },
      text: (rows, names) => `INSERT INTO ${schema}.operations (${names}) SELECT ${names} FROM ${rows}`,
    }),
    /** An operation that was sent already keeps the mark of its node, whichever node writes the order. */
    updateOperations: rowsStatement<MarkedOperation>({
      name: 'update_operations',
      columns: {
        ...columns('bigint', 'order_seq', 'position', 'status_at', 'sent_by'),
        ...columns('text', 'status', 'token', 'outcome'),
      },
      readers: { ...OPERATION_UPDATE, sent_by: sentBy },
      text: (rows) => `UPDATE ${schema}.operations SET status = given.status, status_at = given.status_at,
        token = given.token, outcome = given.outcome, sent_by = CASE WHEN operations.status = 'sent' AND given.status = 'sent'
          THEN operations.sent_by ELSE given.sent_by END
        FROM ${rows} WHERE operations.order_seq = given.order_seq AND operations.position = given.position`,
    }),
  }
}

/** The columns of an operation. `created_at`, which an order has as well, is read under another name. */
const OPERATION_COLUMNS = ['operation_id', 'kind', 'amount', 'status', 'status_at', 'serial_number', 'token', 'outcome']

/** How a merchant names an order. */
export type OrderName = Pick<OrderNames, 'login' | 'clientOrderId'>

/** The statements that find orders, each with all its operations. */
export function orderReads(schema: string) {
  const order = ORDER_COLUMNS.map((name) => `orders.${name}`).join(', ')
  const operation = OPERATION_COLUMNS.map((name) => `operations.${name}`).join(', ')
  const withOperations = (
    found: string,
  ) => `SELECT ${order}, ${operation}, operations.created_at AS operation_created_at
    FROM ${found} JOIN ${schema}.operations ON operations.order_seq = orders.seq ORDER BY orders.seq, operations.position`
  const byIds = withOperations(`${schema}.orders`).replace(' ORDER BY', ' WHERE orders.order_id = ANY($1) ORDER BY')
  return {
    ordersById: (orderIds: readonly string[]): Statement => ({ name: 'orders_by_id', text: byIds, values: [orderIds] }),
    /** The youngest of the merchant's orders with each of these client order ids. */
    youngestOrders: rowsStatement<OrderName>({
      name: 'youngest_orders',
      columns: columns('text', 'login', 'client_order_id'),
      readers: { login: ({ login }) => login, client_order_id: ({ clientOrderId }) => clientOrderId },
      text: (rows) =>
        withOperations(`${rows} CROSS JOIN LATERAL (SELECT * FROM ${schema}.orders AS named
          WHERE named.login = given.login AND named.client_order_id = given.client_order_id
          ORDER BY repetition DESC LIMIT 1) AS orders`),
    }),
  }
}

/** A row of an order beside one of its operations. */
type JoinedRow = OrderRow & Omit<OperationRow, 'order_seq' | 'created_at'> & { readonly operation_created_at: bigint }

/** The orders that the statements above have found. They say what a row is; the driver cannot tell. */
export function ordersOf(rows: readonly Row[]): readonly KnownOrder[] {
  const bySeq = new Map<bigint, JoinedRow[]>()
  for (const row of rowsAs<JoinedRow>(rows)) {
    const before = bySeq.get(row.seq)
    if (before === undefined) bySeq.set(row.seq, [row])
    else before.push(row)
  }
  return [...bySeq.values()].flatMap((joined) => {
    const [first] = joined
    const operations = joined.map((row) => ({ ...row, order_seq: row.seq, created_at: row.operation_created_at }))
    return first === undefined ? [] : [{ seq: Number(first.seq), order: orderOf(first, operations) }]
  })
}

/** The ledger, and what persons had done. */
export function postingStatements(schema: string) {
  return {
    insertPostings: rowsStatement({
      name: 'insert_postings',
      columns: {
        ...columns('bigint', 'order_seq', 'position', 'amount', 'at'),
        ...columns('text', 'account', 'currency'),
      },
      readers: POSTING_INSERT,
      text: (rows, names) => `INSERT INTO ${schema}.postings (${names}) SELECT ${names} FROM ${rows}`,
    }),
    insertRecords: rowsStatement({
      name: 'insert_records',
      columns: {
        ...columns('bigint', 'at'),
        ...columns('text', 'who', 'origin', 'act', 'subject', 'order_id', 'state_before', 'state_after', 'reason'),
      },
      readers: RECORD_INSERT,
      text: (rows, names) => `INSERT INTO ${schema}.operator_records (${names}) SELECT ${names} FROM ${rows}`,
    }),
  }
}

const CARD_COLUMNS = {
  ...columns('text', 'card_id', 'login', 'fingerprint', 'key_id', 'bin', 'last_four_digits', 'card_type'),
  ...columns('text', 'cardholder_name', 'expire_month', 'expire_year'),
  ...columns('bytea', 'wrapped_key', 'sealed_pan'),
}

const REFERENCE_COLUMNS = {
  ...columns('text', 'reference_id', 'login', 'card_id', 'kind', 'order_id'),
  ...columns('bigint', 'created_at'),
}

/** The statements over cards, their references and recurring payments. */
export function cardStatements(schema: string) {
  return {
    writeCards: rowsStatement({
      name: 'write_cards',
      columns: CARD_COLUMNS,
      readers: CARD,
      text: (rows, names) =>
        `INSERT INTO ${schema}.cards (${names}) SELECT ${names} FROM ${rows} ON CONFLICT DO NOTHING`,
    }),
    writeReferences: rowsStatement({
      name: 'write_references',
      columns: REFERENCE_COLUMNS,
      readers: REFERENCE,
      text: (rows, names) =>
        `INSERT INTO ${schema}.card_references (${names}) SELECT ${names} FROM ${rows} ON CONFLICT DO NOTHING`,
    }),
    /** Returns the ids of those that it wrote: new ones, and those of which the version that comes before was there. */
    writeRecurring: rowsStatement({
      name: 'write_recurring',
      columns: {
        ...columns('text', 'recurring_payment_id', 'login', 'client_order_id', 'card_id', 'payment'),
        ...columns('bigint', 'version'),
      },
      readers: RECURRING,
      text: (rows, names) => `INSERT INTO ${schema}.recurring_payments AS old (${names}) SELECT ${names} FROM ${rows}
        ON CONFLICT (login, client_order_id) DO UPDATE
          SET card_id = excluded.card_id, version = excluded.version, payment = excluded.payment
          WHERE old.recurring_payment_id = excluded.recurring_payment_id AND old.version + 1 = excluded.version
        RETURNING recurring_payment_id`,
    }),
    /** A row that has a name of this payment, and is not the version of it that comes before. */
    conflictingRecurring: ({ recurringPaymentId, login, clientOrderId, version }: RecurringPayment): Statement => ({
      name: 'conflicting_recurring',
      text: `SELECT 1 FROM ${schema}.recurring_payments
        WHERE (recurring_payment_id = $1 OR (login = $2 AND client_order_id = $3))
          AND (recurring_payment_id <> $1 OR version + 1 <> $4) LIMIT 1`,
      values: [recurringPaymentId, login, clientOrderId, version],
    }),
    card: (cardId: string): Statement => ({
      name: 'card',
      text: `SELECT ${Object.keys(CARD_COLUMNS).join(', ')} FROM ${schema}.cards WHERE card_id = $1`,
      values: [cardId],
    }),
    reference: (referenceId: string): Statement => ({
      name: 'reference',
      text: `SELECT ${Object.keys(REFERENCE_COLUMNS).join(', ')} FROM ${schema}.card_references WHERE reference_id = $1`,
      values: [referenceId],
    }),
    recurringById: (recurringPaymentId: string): Statement => ({
      name: 'recurring_by_id',
      text: `SELECT payment FROM ${schema}.recurring_payments WHERE recurring_payment_id = $1`,
      values: [recurringPaymentId],
    }),
    rewrap: (card: SealedCard, from: SealedCard): Statement => ({
      name: 'rewrap',
      text: `UPDATE ${schema}.cards SET key_id = $2, wrapped_key = $3
        WHERE card_id = $1 AND key_id = $4 AND wrapped_key = $5`,
      values: [card.cardId, card.keyId, Buffer.from(card.wrappedKey), from.keyId, Buffer.from(from.wrappedKey)],
    }),
  }
}
