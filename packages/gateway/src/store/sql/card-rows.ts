import type { Selectable } from 'kysely'
import type { CardReference, SealedCard } from '../../vault/sealed-card.ts'
import type { RecurringPayment } from '../recurring-payment.ts'
import { encodeRecurringPayment } from '../recurring-payment-text.ts'
import type { Readers } from './readers.ts'
import type { CardReferencesTable, CardsTable } from './tables.ts'

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
