import type { Posting } from '../../src/ledger/ledger.ts'
import type { StoredOperation, StoredOrder } from '../../src/orders/order.ts'
import type { Delivery } from '../../src/store/delivery.ts'
import type { OperatorRecord } from '../../src/store/operator-record.ts'
import type { RecurringPayment } from '../../src/store/recurring-payment.ts'
import type { Change, ChargeTask, OrderTask } from '../../src/store/store.ts'
import type { CardReference, SealedCard } from '../../src/vault/sealed-card.ts'

export const NOW = 1_900_000_000_000

export function operation(given: Partial<StoredOperation> = {}): StoredOperation {
  return {
    id: '1',
    kind: 'sale',
    amount: 1042n,
    status: 'sent',
    createdAt: NOW,
    statusAt: NOW,
    serialNumber: `serial-${given.id ?? '1'}`,
    token: 'token',
    outcome: {},
    ...given,
  }
}

/** An order of the merchant `shop`, by the last digits of its id. */
export function order(digits: number, given: Partial<StoredOrder> = {}): StoredOrder {
  return {
    orderId: String(100_000_000_000_000 + digits),
    version: 1,
    login: 'shop',
    endpointId: '253',
    clientOrderId: `invoice-${digits}`,
    digest: `digest-${digits}`,
    createdAt: NOW,
    terms: { currency: 'EUR', settleAfter: 86_400_000, holdFor: 604_800_000, payoutCheckFor: 900_000 },
    operations: [operation()],
    details: {
      payer: { email: 'a@example.com' },
      addresses: { serverCallbackUrl: 'https://shop.example.com/callback' },
    },
    ...given,
  }
}

export function opening(opened: StoredOrder): Change {
  return { order: { order: opened, basedOn: 'nothing' } }
}

/** The order, changed and one version later. */
export function later(before: StoredOrder, given: Partial<StoredOrder>): StoredOrder {
  return { ...before, ...given, version: before.version + 1 }
}

export function updating(before: StoredOrder, given: Partial<StoredOrder>): Change {
  return { order: { order: later(before, given), basedOn: before.version } }
}

export function nonce(text: string, timestamp = NOW / 1000) {
  return { consumerKey: 'shop', nonce: text, timestamp }
}

/** Money from one account to another. */
export function postings(of: StoredOrder, amount: bigint, given: Partial<Posting> = {}): readonly Posting[] {
  const posting = { orderId: of.orderId, operationId: '1', currency: 'EUR', at: NOW, ...given }
  return [
    { ...posting, account: 'payer', amount: -amount },
    { ...posting, account: 'merchant', amount },
  ]
}

export function delivery(of: StoredOrder, given: Partial<Delivery> = {}): Delivery {
  const url = 'https://shop.example.com/callback?status=approved'
  return { id: '1', orderId: of.orderId, url, createdAt: NOW, dueAt: NOW, made: 0, state: 'open', ...given }
}

/** An attempt at a delivery that was claimed for a minute. */
export function attempted(
  of: StoredOrder,
  given: Partial<Delivery> = {},
  claimedUntil: number | undefined = NOW + 60_000,
) {
  return { delivery: delivery(of, given), claimedUntil }
}

export function task(of: StoredOrder, given: Partial<OrderTask> = {}): OrderTask {
  return { id: `release-${of.orderId}`, dueAt: NOW, kind: 'release', orderId: of.orderId, tried: 0, ...given }
}

export function chargeTask({ recurringPaymentId }: RecurringPayment, given: Partial<ChargeTask> = {}): ChargeTask {
  const id = `charge-${recurringPaymentId}`
  return { id, dueAt: NOW, kind: 'charge', recurringPaymentId, number: 1, date: '2030-01-31', tried: 0, ...given }
}

export function card(cardId: string, given: Partial<SealedCard> = {}): SealedCard {
  return {
    cardId,
    login: 'shop',
    fingerprint: `fingerprint of ${cardId}`,
    keyId: 'key-1',
    wrappedKey: Uint8Array.of(0, 255, 1),
    sealedPan: Uint8Array.of(7, 0, 7),
    bin: '444455',
    lastFourDigits: '1111',
    cardType: 'VISA',
    ...given,
  }
}

export function reference(referenceId: string, cardId: string, given: Partial<CardReference> = {}): CardReference {
  return { referenceId, login: 'shop', cardId, kind: 'card', createdAt: NOW, ...given }
}

export function recurring(clientOrderId: string, given: Partial<RecurringPayment> = {}): RecurringPayment {
  return {
    recurringPaymentId: `of ${clientOrderId}`,
    version: 1,
    login: 'shop',
    endpointId: '253',
    clientOrderId,
    digest: 'digest',
    serialNumber: 'serial',
    createdAt: NOW,
    cardId: 'card-1',
    cardType: 'SRC',
    currency: 'EUR',
    amount: { kind: 'fixed', amount: 500n },
    payer: { email: 'john@example.com' },
    ...given,
  }
}

/** What a person had done to an order, or to none. */
export function record(orderId: string | undefined, at = NOW): OperatorRecord {
  const said = { who: 'anna', from: '127.0.0.1', why: 'told by the bank' }
  return { at, ...said, act: 'outcome', subject: '1', orderId, before: 'unknown', after: 'approved' }
}
