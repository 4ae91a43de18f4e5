import type { CardReference, SealedCard } from '../../vault/sealed-card.ts'
import type { RecurringPayment } from '../recurring-payment.ts'
import { encodeRecurringPayment } from '../recurring-payment-text.ts'
import type { Database } from './database.ts'
import type { Queries } from './dialect.ts'
import { hotStatement, type Readers, slot, slots } from './hot-statement.ts'

const CARD_ID: Readers<string> = { card_id: (cardId) => cardId }

const CARD: Readers<SealedCard> = {
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
}

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

const REFERENCE: Readers<CardReference> = {
  reference_id: ({ referenceId }) => referenceId,
  login: ({ login }) => login,
  card_id: ({ cardId }) => cardId,
  kind: ({ kind }) => kind,
  created_at: ({ createdAt }) => createdAt,
}

const RECURRING: Readers<RecurringPayment> = {
  recurring_payment_id: ({ recurringPaymentId }) => recurringPaymentId,
  login: ({ login }) => login,
  client_order_id: ({ clientOrderId }) => clientOrderId,
  card_id: ({ cardId }) => cardId,
  payment: encodeRecurringPayment,
}

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
    writeCard: hotStatement(
      database,
      CARD,
      queries
        .insertInto('cards')
        .values(
          slots([
            'card_id',
            'login',
            'fingerprint',
            'key_id',
            'wrapped_key',
            'sealed_pan',
            'bin',
            'last_four_digits',
            'card_type',
            'cardholder_name',
            'expire_month',
            'expire_year',
          ]),
        ),
    ),
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
        .values(slots(['reference_id', 'login', 'card_id', 'kind', 'created_at']))
        .onConflict((conflict) => conflict.column('reference_id').doNothing()),
    ),
  }
}

function ofRecurring(database: Database, queries: Queries) {
  return {
    recurring: hotStatement(
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
    writeRecurring: hotStatement(
      database,
      RECURRING,
      queries
        .insertInto('recurring_payments')
        .values(slots(['recurring_payment_id', 'login', 'client_order_id', 'card_id', 'payment'])),
    ),
  }
}
