import { type ReplayGuard, replayGuard } from '@tallystick/signing'
import type { Posting } from '../../ledger/ledger.ts'
import { randomSecret } from '../../runtime/system.ts'
import type { CardReference, SealedCard } from '../../vault/sealed-card.ts'
import { requireDecided } from '../check-change.ts'
import { NONCE_WINDOW_SECONDS } from '../nonce-window.ts'
import type { OperatorRecord } from '../operator-record.ts'
import type { RecurringPayment } from '../recurring-payment.ts'
import type { Change, CommitResult, Conflict, Store } from '../store.ts'
import { MemoryOrders } from './orders.ts'
import { MemoryAgenda } from './tasks.ts'

/** Cards, and the merchants' references and recurring payments that use them. */
class MemoryCards {
  readonly #cards = new Map<string, SealedCard>()
  readonly #references = new Map<string, CardReference>()
  readonly #recurring = new Map<string, RecurringPayment>()
  readonly #recurringById = new Map<string, RecurringPayment>()

  card(cardId: string): SealedCard | undefined {
    return this.#cards.get(cardId)
  }

  reference(login: string, referenceId: string): CardReference | undefined {
    const reference = this.#references.get(referenceId)
    return reference?.login === login ? reference : undefined
  }

  recurring(login: string, clientOrderId: string): RecurringPayment | undefined {
    return this.#recurring.get(nameOf({ login, clientOrderId }))
  }

  recurringById(recurringPaymentId: string): RecurringPayment | undefined {
    return this.#recurringById.get(recurringPaymentId)
  }

  notUnder(keyId: string, after: string, limit: number): readonly SealedCard[] {
    return [...this.#cards.values()]
      .filter((card) => card.keyId !== keyId && card.cardId > after)
      .sort((one, other) => (one.cardId < other.cardId ? -1 : 1))
      .slice(0, limit)
  }

  rewrap({ cardId, keyId, wrappedKey }: SealedCard, from: SealedCard): boolean {
    const card = this.#cards.get(cardId)
    if (card === undefined || card.keyId !== from.keyId || !isEqual(card.wrappedKey, from.wrappedKey)) return false
    this.#cards.set(cardId, { ...card, keyId, wrappedKey })
    return true
  }

  /** Whether one of its names is taken, by anything but the version of this payment that comes before. */
  conflictsWith(payment: RecurringPayment): boolean {
    const { recurringPaymentId, version } = payment
    return [this.#recurring.get(nameOf(payment)), this.#recurringById.get(recurringPaymentId)].some(
      (one) => one !== undefined && (one.recurringPaymentId !== recurringPaymentId || one.version !== version - 1),
    )
  }

  /** @throws TypeError if a reference or a recurring payment names a missing card, or a charge a missing recurring payment */
  require({ cards = [], references = [], recurringPayment, tasks = [] }: Change): void {
    const named = recurringPayment === undefined ? references : [...references, recurringPayment]
    for (const { cardId } of named) {
      if (this.#cards.has(cardId) || cards.some((card) => card.cardId === cardId)) continue
      throw new TypeError(`There is no card ${cardId}`)
    }
    for (const task of tasks) {
      if (task.kind !== 'charge' || this.#recurringById.has(task.recurringPaymentId)) continue
      if (recurringPayment?.recurringPaymentId === task.recurringPaymentId) continue
      throw new TypeError(`There is no recurring payment ${task.recurringPaymentId}`)
    }
  }

  write({ cards = [], references = [], recurringPayment }: Change): void {
    for (const card of cards) if (!this.#cards.has(card.cardId)) this.#cards.set(card.cardId, card)
    for (const reference of references) {
      if (!this.#references.has(reference.referenceId)) this.#references.set(reference.referenceId, reference)
    }
    if (recurringPayment === undefined) return
    this.#recurring.set(nameOf(recurringPayment), recurringPayment)
    this.#recurringById.set(recurringPayment.recurringPaymentId, recurringPayment)
  }
}

/** Logins and client order ids are free texts: quoting keeps them apart. */
function nameOf({ login, clientOrderId }: Pick<RecurringPayment, 'login' | 'clientOrderId'>): string {
  return JSON.stringify([login, clientOrderId])
}

function isEqual(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at])
}

/** Postings by order. */
class MemoryLedger {
  readonly #postings = new Map<string, Posting[]>()

  of(orderId: string): readonly Posting[] {
    return [...(this.#postings.get(orderId) ?? [])].sort(byTime)
  }

  /** @throws TypeError when an operation was booked before */
  require(postings: readonly Posting[]): void {
    for (const posting of postings) {
      const booked = this.#postings.get(posting.orderId) ?? []
      if (![...booked, ...postings].some((other) => other !== posting && isSame(other, posting))) continue
      throw new TypeError(`Operation ${posting.operationId} was booked before`)
    }
  }

  write(postings: readonly Posting[]): void {
    for (const posting of postings) {
      const booked = this.#postings.get(posting.orderId)
      if (booked === undefined) this.#postings.set(posting.orderId, [posting])
      else booked.push(posting)
    }
  }
}

/** An operation has at most one posting in an account. */
function isSame(one: Posting, other: Posting): boolean {
  return one.orderId === other.orderId && one.operationId === other.operationId && one.account === other.account
}

function byTime(one: Posting, other: Posting): number {
  return one.at - other.at || compare(one.operationId, other.operationId) || compare(one.account, other.account)
}

function compare(one: string, other: string): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}

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
    listDue: async (limit) => tables.agenda.due(limit),
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
function commit(change: Change, now: number, tables: Tables): CommitResult {
  requireDecided(change)
  const conflict = conflictOf(change, tables)
  if (conflict !== undefined) return { ok: false, conflict }
  requireWhole(change, tables)
  const { nonce } = change
  if (nonce !== undefined && !tables.nonces.consume(nonce, now / 1000)) return { ok: false, conflict: 'nonce' }
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
