import { sql } from 'kysely'
import type { SealedCard } from '../../vault/sealed-card.ts'
import { CARD, RECURRING, REFERENCE } from '../sql/card-rows.ts'
import type { Readers } from '../sql/readers.ts'
import type { Queries } from '../sql/tables.ts'
import type { Database } from './database.ts'
import { hotStatement, slot, slotsOf } from './prepared-statement.ts'

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
export function cardStatements(database: Database, queries: Queries) {
  return { ...ofCards(database, queries), ...ofReferences(database, queries), ...ofRecurring(database, queries) }
}

function ofCards(database: Database, queries: Queries) {
  const byId = queries.selectFrom('cards').where('card_id', '=', slot('card_id'))
  return {
    hasCard: hotStatement(database, CARD_ID, byId.select('seq')),
    card: hotStatement(database, CARD_ID, byId.selectAll()),
    writeCard: hotStatement(database, CARD, queries.insertInto('cards').values(slotsOf(CARD))),
    rewrap: hotStatement(
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
    reference: hotStatement(
      database,
      REFERENCE_ID,
      queries.selectFrom('card_references').selectAll().where('reference_id', '=', slot('reference_id')),
    ),
    writeReference: hotStatement(
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
    conflicting: hotStatement(
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
    recurringById: hotStatement(
      database,
      RECURRING_ID,
      queries
        .selectFrom('recurring_payments')
        .select('payment')
        .where('recurring_payment_id', '=', slot('recurring_payment_id')),
    ),
    insertRecurring: hotStatement(
      database,
      RECURRING,
      queries.insertInto('recurring_payments').values(slotsOf(RECURRING)),
    ),
    updateRecurring: hotStatement(
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
