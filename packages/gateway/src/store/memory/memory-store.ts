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
  let tables = emptyTables()
  const records: OperatorRecord[] = []
  return {
    durable: false,
    commit: async (change, now) => {
      const committed = commit(change, now, tables)
      if (committed.ok) records.push(...(change.records ?? []))
      return committed
    },
    findOrder: async (names) => tables.orders.find(names),
    orderById: async (orderId) => tables.orders.get(orderId),
    orderByPageToken: async (token) => tables.orders.byPageToken(token),
    sentOrders: async (before, limit) => tables.orders.sent(before, limit),
    postingsOf: async (orderId) => tables.ledger.of(orderId),
    deliveriesOf: async (orderId) => tables.agenda.deliveriesOf(orderId),
    tasksOf: async (orderId) => tables.agenda.tasksOf(orderId),
    claimDeliveries: async (claim) => tables.agenda.claimDeliveries(claim),
    claimTasks: async (claim) => tables.agenda.claimTasks(claim),
    nextDueAt: async () => tables.agenda.nextDueAt(),
    pullBack: async (limits) => tables.agenda.pullBack(limits),
    card: async (cardId) => tables.cards.card(cardId),
    cardReference: async (login, referenceId) => tables.cards.reference(login, referenceId),
    cardsNotUnder: async (keyId, after, limit) => tables.cards.notUnder(keyId, after, limit),
    rewrapCard: async (card, from) => tables.cards.rewrap(card, from),
    recurringPayment: async (login, clientOrderId) => tables.cards.recurring(login, clientOrderId),
    recurringPaymentById: async (recurringPaymentId) => tables.cards.recurringById(recurringPaymentId),
    recentOrders: async (login, limit) => tables.orders.recent(login, limit),
    listOrders: async (query) => tables.orders.list(query),
    listGivenUp: async (query) =>
      tables.agenda.givenUp(
        query,
        ({ orderId }) => (query.login ?? tables.orders.get(orderId)?.login) === tables.orders.get(orderId)?.login,
      ),
    operatorRecords: async ({ orderId, limit }) =>
      records
        .filter((record) => orderId === undefined || record.orderId === orderId)
        .slice(-limit)
        .reverse(),
    reset: async () => {
      tables = emptyTables()
    },
    isReady: async () => true,
    close: async () => {},
  }
}

interface Tables {
  readonly orders: MemoryOrders
  readonly ledger: MemoryLedger
  readonly agenda: MemoryAgenda
  readonly cards: MemoryCards
  readonly nonces: ReplayGuard
}

function emptyTables(): Tables {
  return {
    orders: new MemoryOrders(),
    ledger: new MemoryLedger(),
    agenda: new MemoryAgenda(),
    cards: new MemoryCards(),
    nonces: replayGuard({ secret: randomSecret(8), windowSeconds: NONCE_WINDOW_SECONDS }),
  }
}

/** Checks everything, then writes everything: nothing else runs in between. */
function commit(change: Change, now: number, tables: Tables): Committed {
  requireDecided(change)
  const conflict = conflictOf(change, tables)
  if (conflict !== undefined) return { ok: false, conflict }
  requireWhole(change, tables)
  const { nonce } = change
  if (nonce !== undefined && !tables.nonces.burn(nonce, now / 1000)) return { ok: false, conflict: 'nonce' }
  write(change, now, tables)
  return { ok: true }
}

function conflictOf({ order, recurringPayment }: Change, { orders, cards }: Tables): Conflict | undefined {
  const ofOrder = order && orders.conflict(order)
  if (ofOrder !== undefined) return ofOrder
  return recurringPayment !== undefined && cards.conflictsWith(recurringPayment) ? 'recurring-payment' : undefined
}

/** Refuses references to what does not exist, as the foreign keys of a database do. */
function requireWhole(change: Change, { orders, ledger, cards }: Tables): void {
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

function write(change: Change, now: number, { orders, ledger, agenda, cards }: Tables): void {
  if (change.order !== undefined) orders.write(change.order, now)
  ledger.write(change.postings ?? [])
  agenda.write(change)
  cards.write(change)
}
