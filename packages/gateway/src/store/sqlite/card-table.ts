import type { CardReference, SealedCard } from '../../vault/sealed-card.ts'
import type { RecurringPayment } from '../recurring-payment.ts'
import { decodeRecurringPayment } from '../recurring-payment-text.ts'
import { cardOf, referenceOf } from '../sql/card-rows.ts'
import type { Queries } from '../sql/tables.ts'
import { cardStatements } from './card-statements.ts'
import type { Database } from './database.ts'

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
