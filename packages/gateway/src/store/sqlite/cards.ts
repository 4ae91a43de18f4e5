import { sql } from 'kysely'
import type { Posting } from '../../ledger/ledger.ts'
import type { CardReference, SealedCard } from '../../vault/sealed-card.ts'
import { decodeRecurringPayment, type RecurringPayment } from '../recurring-payment.ts'
import type { Readers } from '../sql/dialect.ts'
import { CARD, cardOf, POSTING_INSERT, type PostingOperation, RECURRING, REFERENCE, referenceOf } from '../sql/rows.ts'
import type { Queries } from '../sql/tables.ts'
import { type Database, preparedStatement, slot, slotsOf } from './database.ts'

/**
 * Cards, and the merchants' references and recurring payments that use them. Methods that write run within the transaction
 * of the commit queue.
 */
export interface CardTable {
  card(cardId: string): SealedCard | undefined
  reference(login: string, referenceId: string): CardReference | undefined
  /** Whether one of its names is taken, by anything but the version of this payment that comes before. */
  conflictsWith(payment: RecurringPayment): boolean
  recurringById(recurringPaymentId: string): RecurringPayment | undefined
  write(card: SealedCard): void
  writeReference(reference: CardReference): void
  writeRecurring(payment: RecurringPayment): void
  rewrap(card: SealedCard, from: SealedCard): boolean
}

export function cardTable(database: Database, queries: Queries): CardTable {
  const statements = cardStatements(database, queries)
  return {
    card: (cardId) => {
      const row = statements.card.get(cardId)
      return row && cardOf(row)
    },
    reference: (login, referenceId) => referenceOf(statements.reference.get(referenceId), login),
    conflictsWith: (payment) => statements.conflicting.get(payment) !== undefined,
    recurringById: (recurringPaymentId) => {
      const row = statements.recurringById.get(recurringPaymentId)
      return row && decodeRecurringPayment(row.payment)
    },
    // Most cards are stored already: payers come back to their merchant.
    write: (card) => {
      if (statements.hasCard.get(card.cardId) === undefined) statements.writeCard.run(card)
    },
    writeReference: (reference) => void statements.writeReference.run(reference),
    writeRecurring: (payment) => {
      if (payment.version === 1) statements.insertRecurring.run(payment)
      else statements.updateRecurring.run(payment)
    },
    rewrap: (card, from) => statements.rewrap.run({ card, from }).changes === 1,
  }
}

const CARD_ID: Readers<string> = { card_id: (cardId) => cardId }

interface Rewrap {
  readonly card: SealedCard
  readonly from: SealedCard
}

const REWRAP: Readers<Rewrap> = {
  card_id: ({ card }) => card.cardId,
  key_id: ({ card }) => card.keyId,
  wrapped_key: ({ card }) => card.wrappedKey,
  old_key_id: ({ from }) => from.keyId,
  old_wrapped_key: ({ from }) => from.wrappedKey,
}

const REFERENCE_ID: Readers<string> = { reference_id: (id) => id }

const RECURRING_ID: Readers<string> = { recurring_payment_id: (id) => id }

/** The statements over cards, their references and recurring payments. */
function cardStatements(database: Database, queries: Queries) {
  return { ...ofCards(database, queries), ...ofReferences(database, queries), ...ofRecurring(database, queries) }
}

function ofCards(database: Database, queries: Queries) {
  const byId = queries.selectFrom('cards').where('card_id', '=', slot('card_id'))
  return {
    hasCard: preparedStatement(database, CARD_ID, byId.select('seq')),
    card: preparedStatement(database, CARD_ID, byId.selectAll()),
    writeCard: preparedStatement(database, CARD, queries.insertInto('cards').values(slotsOf(CARD))),
    rewrap: preparedStatement(
      database,
      REWRAP,
      queries
        .updateTable('cards')
        .set({ key_id: slot('key_id'), wrapped_key: slot('wrapped_key') })
        .where('card_id', '=', slot('card_id'))
        .where('key_id', '=', slot('old_key_id'))
        .where('wrapped_key', '=', slot('old_wrapped_key')),
    ),
  }
}

function ofReferences(database: Database, queries: Queries) {
  return {
    reference: preparedStatement(
      database,
      REFERENCE_ID,
      queries.selectFrom('card_references').selectAll().where('reference_id', '=', slot('reference_id')),
    ),
    writeReference: preparedStatement(
      database,
      REFERENCE,
      queries
        .insertInto('card_references')
        .values(slotsOf(REFERENCE))
        .onConflict((conflict) => conflict.column('reference_id').doNothing()),
    ),
  }
}

function ofRecurring(database: Database, queries: Queries) {
  return {
    /** A row that has a name of this payment, and is not the version of it that comes before. */
    conflicting: preparedStatement(
      database,
      RECURRING,
      queries
        .selectFrom('recurring_payments')
        .select('recurring_payment_id')
        .where((row) =>
          row.or([
            row.and([row('login', '=', slot('login')), row('client_order_id', '=', slot('client_order_id'))]),
            row('recurring_payment_id', '=', slot('recurring_payment_id')),
          ]),
        )
        .where((row) =>
          row.or([
            row('recurring_payment_id', '<>', slot('recurring_payment_id')),
            row(sql`version + 1`, '<>', slot('version')),
          ]),
        ),
    ),
    recurringById: preparedStatement(
      database,
      RECURRING_ID,
      queries
        .selectFrom('recurring_payments')
        .select('payment')
        .where('recurring_payment_id', '=', slot('recurring_payment_id')),
    ),
    insertRecurring: preparedStatement(
      database,
      RECURRING,
      queries.insertInto('recurring_payments').values(slotsOf(RECURRING)),
    ),
    updateRecurring: preparedStatement(
      database,
      RECURRING,
      queries
        .updateTable('recurring_payments')
        .set({ card_id: slot('card_id'), version: slot('version'), payment: slot('payment') })
        .where('login', '=', slot('login'))
        .where('client_order_id', '=', slot('client_order_id')),
    ),
  }
}

/** The ledger. Runs within the transaction of the commit queue. */
export interface PostingTable {
  write(posting: Posting, operation: PostingOperation): void
}

export function postingTable(database: Database, queries: Queries): PostingTable {
  const insert = preparedStatement(
    database,
    POSTING_INSERT,
    queries.insertInto('postings').values(slotsOf(POSTING_INSERT)),
  )
  return { write: (posting, { seq, position }) => void insert.run({ posting, seq, position }) }
}
