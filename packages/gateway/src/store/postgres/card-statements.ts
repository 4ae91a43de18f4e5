import type { SealedCard } from '../../vault/sealed-card.ts'
import type { RecurringPayment } from '../recurring-payment.ts'
import { CARD, RECURRING, REFERENCE } from '../sql/card-rows.ts'
import { columns, rowsStatement } from './rows-statement.ts'
import type { Statement } from './statement.ts'

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
