import { type ReplayGuard, replayGuard } from '@tallystick/signing'
import { randomSecret } from '../../runtime/system.ts'
import { requireDecided } from '../check-change.ts'
import { NONCE_WINDOW_SECONDS } from '../nonce-window.ts'
import type { OperatorRecord } from '../operator-record.ts'
import type { Change, Committed, Conflict, Store } from '../store.ts'
import { MemoryCards, MemoryLedger } from './cards.ts'
import { MemoryOrders } from './orders.ts'
import { MemoryAgenda } from './tasks.ts'

/** A store that forgets everything when the process ends. */
export function memoryStore(): Store {
  let shelves = emptyShelves()
  const records: OperatorRecord[] = []
  return {
    durable: false,
    commit: async (change, now) => {
      const committed = commit(change, now, shelves)
      if (committed.ok) records.push(...(change.records ?? []))
      return committed
    },
    findOrder: async (names) => shelves.orders.find(names),
    orderById: async (orderId) => shelves.orders.get(orderId),
    orderByPageToken: async (token) => shelves.orders.byPageToken(token),
    sentOrders: async (before, limit) => shelves.orders.sent(before, limit),
    postingsOf: async (orderId) => shelves.ledger.of(orderId),
    deliveriesOf: async (orderId) => shelves.agenda.deliveriesOf(orderId),
    tasksOf: async (orderId) => shelves.agenda.tasksOf(orderId),
    claimDeliveries: async (claim) => shelves.agenda.claimDeliveries(claim),
    claimTasks: async (claim) => shelves.agenda.claimTasks(claim),
    nextDueAt: async () => shelves.agenda.nextDueAt(),
    pullBack: async (limits) => shelves.agenda.pullBack(limits),
    card: async (cardId) => shelves.cards.card(cardId),
    cardReference: async (login, referenceId) => shelves.cards.reference(login, referenceId),
    cardsNotUnder: async (keyId, after, limit) => shelves.cards.notUnder(keyId, after, limit),
    rewrapCard: async (card, from) => shelves.cards.rewrap(card, from),
    recurringPayment: async (login, clientOrderId) => shelves.cards.recurring(login, clientOrderId),
    recurringPaymentById: async (recurringPaymentId) => shelves.cards.recurringById(recurringPaymentId),
    recentOrders: async (login, limit) => shelves.orders.recent(login, limit),
    listOrders: async (query) => shelves.orders.list(query),
    listGivenUp: async (query) =>
      shelves.agenda.givenUp(
        query,
        ({ orderId }) => (query.login ?? shelves.orders.get(orderId)?.login) === shelves.orders.get(orderId)?.login,
      ),
    operatorRecords: async ({ orderId, limit }) =>
      records
        .filter((record) => orderId === undefined || record.orderId === orderId)
        .slice(-limit)
        .reverse(),
    reset: async () => {
      shelves = emptyShelves()
    },
    isReady: async () => true,
    close: async () => {},
  }
}

interface Shelves {
  readonly orders: MemoryOrders
  readonly ledger: MemoryLedger
  readonly agenda: MemoryAgenda
  readonly cards: MemoryCards
  readonly nonces: ReplayGuard
}

function emptyShelves(): Shelves {
  return {
    orders: new MemoryOrders(),
    ledger: new MemoryLedger(),
    agenda: new MemoryAgenda(),
    cards: new MemoryCards(),
    nonces: replayGuard({ secret: randomSecret(8), windowSeconds: NONCE_WINDOW_SECONDS }),
  }
}

/** Checks everything, then writes everything: nothing else runs in between. */
function commit(change: Change, now: number, shelves: Shelves): Committed {
  requireDecided(change)
  const conflict = conflictOf(change, shelves)
  if (conflict !== undefined) return { ok: false, conflict }
  requireWhole(change, shelves)
  const { nonce } = change
  if (nonce !== undefined && !shelves.nonces.burn(nonce, now / 1000)) return { ok: false, conflict: 'nonce' }
  write(change, now, shelves)
  return { ok: true }
}

function conflictOf({ order, recurringPayment }: Change, { orders, cards }: Shelves): Conflict | undefined {
  const ofOrder = order && orders.conflict(order)
  if (ofOrder !== undefined) return ofOrder
  return recurringPayment !== undefined && cards.conflictsWith(recurringPayment) ? 'recurring-payment' : undefined
}

/** Refuses references to what does not exist, as the foreign keys of a database do. */
function requireWhole(change: Change, { orders, ledger, cards }: Shelves): void {
  const { order, postings = [], deliveries = [], attempts = [], tasks = [] } = change
  if (order !== undefined) orders.require(order)
  const orderOf = (orderId: string) => (order?.order.orderId === orderId ? order.order : orders.get(orderId))
  for (const about of [...deliveries, ...attempts.map(({ delivery }) => delivery), ...tasks]) {
    if ('orderId' in about && orderOf(about.orderId) === undefined) {
      throw new TypeError(`There is no order ${about.orderId}`)
    }
  }
  for (const { orderId, operationId } of postings) {
    if (orderOf(orderId)?.operations.some(({ id }) => id === operationId)) continue
    throw new TypeError(`There is no operation ${operationId} of order ${orderId}`)
  }
  ledger.require(postings)
  cards.require(change)
}

function write(change: Change, now: number, { orders, ledger, agenda, cards }: Shelves): void {
  if (change.order !== undefined) orders.write(change.order, now)
  ledger.write(change.postings ?? [])
  agenda.write(change)
  cards.write(change)
}
