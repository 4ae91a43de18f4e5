import assert from 'node:assert/strict'
import type {
  Change,
  Delivery,
  Posting,
  SealedCard,
  Store,
  StoredOperation,
  StoredOrder,
} from '@tallystick/gateway/store'

const START = 1_900_000_000_000

/**
 * A sale as the gateway writes it: opened with its control, its card and a nonce (a real request has either a control or a nonce)
 * and sent, then approved and booked, with its callback.
 */
export interface Sale {
  readonly opened: Change
  readonly approved: Change
  readonly order: StoredOrder
  readonly at: number
}

/** An order id. The ids are spread over their range like random ones, and the same in every run. */
export function orderIdOf(number: number): string {
  const range = 900_000_000_000_000n
  return String(100_000_000_000_000n + ((BigInt(number) * 618_033_988_749_895n) % range))
}

export function saleOf(number: number): Sale {
  const at = START + Math.floor(number / 10)
  const orderId = orderIdOf(number)
  const sent: StoredOperation = {
    id: `${orderId}-1`,
    kind: 'sale',
    amount: 1042n,
    status: 'sent',
    createdAt: at,
    statusAt: at,
    serialNumber: `0190c7a0-5c2f-7000-8000-${String(number).padStart(12, '0')}`,
    token: `token-${orderId}`,
    outcome: {},
  }
  const order = orderOf(number, at, sent)
  const outcome = { approvalCode: '123456', processorTxId: `PNTEST-${orderId}` }
  const approved: StoredOperation = { ...sent, status: 'approved', outcome }
  const after = { ...order, version: 2, operations: [approved] }
  const nonce = { consumerKey: 'shop', timestamp: Math.floor(at / 1000), nonce: sent.serialNumber }
  return {
    opened: { order: { order, basedOn: 'nothing' }, nonce, cards: [cardOf(number)] },
    approved: {
      order: { order: after, basedOn: 1 },
      postings: postings(after, approved),
      deliveries: [delivery(after, approved)],
    },
    order: after,
    at,
  }
}

function orderOf(number: number, at: number, operation: StoredOperation): StoredOrder {
  return {
    orderId: orderIdOf(number),
    version: 1,
    login: 'shop',
    endpointId: '253',
    clientOrderId: `invoice-${number}`,
    digest: 'a94a8fe5ccb19ba61c4c0873d391e987982fbbd3a94a8fe5ccb19ba61c4c0873',
    signedAs: spread(number, 40),
    createdAt: at,
    terms: { currency: 'EUR', settleAfter: 86_400_000, holdFor: 604_800_000, payoutCheckFor: 900_000 },
    operations: [operation],
    details: {
      card: {
        cardId: cardIdOf(number),
        bin: '444455',
        lastFourDigits: '1111',
        cardType: 'VISA',
        cardholderName: 'J. SMITH',
        cardExpireMonth: '12',
        cardExpireYear: '2031',
      },
      payer: { email: 'j.smith@example.com', phone: '+12025550123', firstName: 'J.', lastName: 'Smith' },
      addresses: {
        redirectUrl: 'https://shop.example.com/back',
        serverCallbackUrl: 'https://shop.example.com/callback',
      },
      orderDesc: 'Shoes',
    },
  }
}

/** This many hexadecimal digits, spread like those of a digest, and the same in every run. */
function spread(number: number, digits: number): string {
  const mixed = (BigInt(number) * 0x9e37_79b9_7f4a_7c15n) % 0x1_0000_0000_0000_0000n
  return mixed.toString(16).padStart(16, '0').padEnd(digits, 'a')
}

const cardIdOf = (number: number) => spread(number, 32)

/** A different card for each number, with the lengths that the vault makes. */
function cardOf(number: number): SealedCard {
  return {
    cardId: cardIdOf(number),
    login: 'shop',
    fingerprint: spread(number, 64),
    keyId: 'k1',
    wrappedKey: new Uint8Array(60),
    sealedPan: new Uint8Array(44),
    bin: '444455',
    lastFourDigits: '1111',
    cardType: 'VISA',
    cardholderName: 'J. SMITH',
    expireMonth: '12',
    expireYear: '2031',
  }
}

function postings({ orderId }: StoredOrder, { id, amount, statusAt }: StoredOperation): readonly Posting[] {
  const posting = { orderId, operationId: id, currency: 'EUR', at: statusAt }
  return [
    { ...posting, account: 'payer', amount: -amount },
    { ...posting, account: 'merchant', amount },
  ]
}

function delivery({ orderId, clientOrderId }: StoredOrder, { id, statusAt }: StoredOperation): Delivery {
  const url = `https://shop.example.com/callback?status=approved&orderid=${orderId}&merchant_order=${clientOrderId}`
  return { id, orderId, url, createdAt: statusAt, dueAt: statusAt, made: 0, state: 'open' }
}

/** How many sales are in flight at a time. */
export const IN_FLIGHT = 64

export function* salesFrom(first: number, count: number): Generator<Sale> {
  for (let number = first; number < first + count; number++) yield saleOf(number)
}

/** Commits each sale as it is opened and as it is approved. */
export async function sell(store: Store, sales: IterableIterator<Sale>): Promise<void> {
  const sellSome = async () => {
    for (const { opened, approved, at } of sales) {
      assert.equal((await store.commit(opened, at)).ok, true)
      assert.equal((await store.commit(approved, at)).ok, true)
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, sellSome))
}
