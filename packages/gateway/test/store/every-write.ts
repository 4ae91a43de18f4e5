import type { Change, Store } from '../../src/store/store.ts'
import {
  attempted,
  card,
  delivery,
  NOW,
  nonce,
  opening,
  operation,
  order,
  postings,
  recurring,
  reference,
  task,
  updating,
} from './changes.ts'
import type { Universe } from './view.ts'

export const UNIVERSE: Universe = {
  logins: ['shop'],
  clientOrderIds: ['invoice-1', 'invoice-2', 'invoice-3', 'invoice-8', 'invoice-9', 'recurring'],
  orderIds: [1, 2, 3, 8, 9].map((digits) => order(digits).orderId),
  serialNumbers: ['serial-1', 'serial-2'],
  tokens: ['token'],
  cardIds: ['card-1', 'card-2'],
  referenceIds: ['reference'],
}

const preauth = operation({ kind: 'preauth', amount: 100n, status: 'approved' })
/** What is stored at the beginning: an order that was sent, and a hold with all that belongs to it. */
const SENT = order(1)
const HELD = order(2, { operations: [preauth] })
export const BEFORE: readonly Change[] = [
  { ...opening(SENT), cards: [card('card-1')] },
  { ...opening(HELD), deliveries: [delivery(HELD)], tasks: [task(HELD)], postings: postings(HELD, 100n) },
]

export const commit = (change: Change) => (store: Store) => store.commit(change, NOW)
const CLAIM = { now: NOW, until: NOW + 60_000, limit: 9 }

export type Write = (store: Store) => Promise<unknown>

/** Every kind of write. */
export const WRITES: Readonly<Record<string, Write>> = {
  'an order that is opened': commit({ ...opening(order(3)), nonce: nonce('a'), cards: [card('card-2')] }),
  'an outcome': commit({
    ...updating(SENT, { operations: [operation({ status: 'approved', outcome: { approvalCode: '1' } })] }),
    postings: postings(SENT, 1042n),
    deliveries: [delivery(SENT, { dueAt: NOW + 60_000 })],
    claimsDeliveries: true,
  }),
  'an operation that is appended': commit({
    ...updating(HELD, { operations: [preauth, operation({ id: '2', kind: 'capture', amount: 40n })] }),
    nonce: nonce('a'),
  }),
  'a form that is filled in': commit(
    updating(SENT, { details: { payer: {}, addresses: {}, pages: { token: 'token', form: 'sale' } } }),
  ),
  'a release, its task done': commit({
    ...updating(HELD, { operations: [preauth, operation({ id: '2', kind: 'cancel', amount: 100n })] }),
    doneTasks: [task(HELD).id],
    tasks: [task(HELD, { id: 'lookup', kind: 'lookup', dueAt: NOW + 5 })],
  }),
  'a delivery that is sent again': commit({
    deliveries: [delivery(HELD, { made: 1, dueAt: NOW + 5_000, firstAt: NOW })],
  }),
  'an attempt at a delivery': commit({
    attempts: [attempted(HELD, { made: 1, dueAt: NOW + 5_000, firstAt: NOW }, NOW)],
  }),
  'a nonce alone': commit({ nonce: nonce('a') }),
  'a recurring payment': commit({
    recurringPayment: recurring('recurring'),
    cards: [card('card-1')],
    references: [reference('reference', 'card-1', { kind: 'recurring-payment' })],
  }),
  'a card that is rewrapped': (store) =>
    store.rewrapCard(card('card-1', { keyId: 'key-2', wrappedKey: Uint8Array.of(1) }), card('card-1')),
  'a claim of deliveries': (store) => store.claimDeliveries(CLAIM),
  'a claim of tasks': (store) => store.claimTasks(CLAIM),
}
