import type { Posting } from '../../src/ledger/ledger.ts'
import type { StoredOrder } from '../../src/orders/order.ts'
import type { Delivery } from '../../src/store/delivery.ts'
import type { GivenUpQuery, OrderQuery, Span } from '../../src/store/listing.ts'
import type { OperatorRecord, RecordFilter } from '../../src/store/operator-record.ts'
import type { RecurringPayment } from '../../src/store/recurring-payment.ts'
import type { Change, Claim, CommitResult, OrderNames, Store, Task } from '../../src/store/store.ts'
import type { CardReference, SealedCard } from '../../src/vault/sealed-card.ts'

/** The contract of a store in its plainest form: lists that are searched from end to end. */
export class PlainStore implements Store {
  readonly durable = false
  orders: { order: StoredOrder; changedAt: number }[] = []
  nonces: string[] = []
  postings: Posting[] = []
  deliveries: Delivery[] = []
  tasks: Task[] = []
  cards: SealedCard[] = []
  references: CardReference[] = []
  recurring: RecurringPayment[] = []
  records: OperatorRecord[] = []

  async commit(change: Change, now: number): Promise<CommitResult> {
    const { order, recurringPayment: payment, nonce } = change
    if (order !== undefined) {
      const existing = this.orders.find((each) => each.order.orderId === order.order.orderId)
      const namesake = this.orders.some((each) => isNamed(each.order, order.order))
      if (order.basedOn === 'nothing' && existing !== undefined) return no('order')
      if (order.basedOn === 'nothing' && namesake && order.repeatsAllowed !== true) return no('client-order-id')
      if (order.basedOn !== 'nothing' && existing?.order.version !== order.basedOn) return no('order')
    }
    if (payment !== undefined) {
      const isThere = (each: RecurringPayment) =>
        isNamed(each, payment) || each.recurringPaymentId === payment.recurringPaymentId
      if (this.recurring.some(isThere)) return no('recurring-payment')
    }
    if (nonce !== undefined) {
      const seconds = now / 1000
      const name = JSON.stringify(nonce)
      if (Math.abs(nonce.timestamp - seconds) > 300) return no('nonce')
      if (this.nonces.includes(name)) return no('nonce')
      this.nonces.push(name)
    }
    this.write(change, now)
    return { ok: true }
  }

  write(change: Change, now: number): void {
    const { order, postings = [], deliveries = [], attempts = [], tasks = [], doneTasks = [] } = change
    const { cards = [], references = [] } = change
    if (order !== undefined) {
      const changed = { order: order.order, changedAt: now }
      const at = this.orders.findIndex((each) => each.order.orderId === order.order.orderId)
      if (at < 0) this.orders.push(changed)
      else this.orders[at] = changed
    }
    this.postings.push(...postings)
    for (const each of deliveries) this.replace(each)
    for (const { delivery, claimedUntil } of attempts) {
      const there = this.deliveries.find((each) => isSame(each, delivery))
      if (there?.dueAt !== undefined && there.dueAt === claimedUntil) this.replace(delivery)
    }
    this.tasks = this.tasks.filter(({ id }) => !doneTasks.includes(id))
    for (const each of tasks) this.tasks = [...this.tasks.filter(({ id }) => id !== each.id), each]
    for (const each of cards) if (!this.cards.some(({ cardId }) => cardId === each.cardId)) this.cards.push(each)
    for (const each of references) {
      if (!this.references.some(({ referenceId }) => referenceId === each.referenceId)) this.references.push(each)
    }
    if (change.recurringPayment !== undefined) this.recurring.push(change.recurringPayment)
    this.records.unshift(...(change.records ?? []).toReversed())
  }

  replace(delivery: Delivery): void {
    this.deliveries = [...this.deliveries.filter((each) => !isSame(each, delivery)), delivery]
  }

  async findOrder(names: OrderNames) {
    const isMeant = ({ order }: { order: StoredOrder }) =>
      isNamed(order, names) &&
      (names.orderId === undefined || order.orderId === names.orderId) &&
      (names.serialNumber === undefined || order.operations.some((each) => each.serialNumber === names.serialNumber))
    return this.orders.filter(isMeant).at(-1)?.order
  }

  async orderById(orderId: string) {
    return this.orders.find(({ order }) => order.orderId === orderId)?.order
  }

  async orderByPageToken(token: string) {
    return this.orders.find(({ order }) => order.details.pages?.token === token)?.order
  }

  async sentOrders(before: number, limit: number) {
    const waiting = this.orders.flatMap(({ order }) => {
      const sent = order.operations.filter(({ status, statusAt }) => status === 'sent' && statusAt < before)
      return sent.length === 0 ? [] : [{ id: order.orderId, since: Math.min(...sent.map(({ statusAt }) => statusAt)) }]
    })
    return waiting
      .sort((one, other) => one.since - other.since)
      .slice(0, limit)
      .map(({ id }) => id)
  }

  async postingsOf(orderId: string) {
    return sorted(this.postings, [({ at }) => at, ({ operationId }) => operationId, ({ account }) => account]).filter(
      (each) => each.orderId === orderId,
    )
  }

  async deliveriesOf(orderId: string) {
    return sorted(this.deliveries, [({ createdAt }) => createdAt, ({ id }) => id]).filter(
      (each) => each.orderId === orderId,
    )
  }

  async tasksOf(orderId: string) {
    const ofOrder = this.tasks.flatMap((each) => (each.kind !== 'charge' && each.orderId === orderId ? each : []))
    return sorted(ofOrder, [({ dueAt }) => dueAt, ({ id }) => id])
  }

  async claimDeliveries({ now, until, limit }: Claim) {
    const due = sorted(this.deliveries, [({ dueAt }) => dueAt ?? 0, ({ id }) => id])
    const taken = due.filter(({ dueAt }) => dueAt !== undefined && dueAt <= now).slice(0, limit)
    const claimed = taken.map((each) => ({ ...each, dueAt: until }))
    this.deliveries = [...this.deliveries.filter((each) => !taken.includes(each)), ...claimed]
    return claimed
  }

  async claimTasks({ now, until, limit }: Claim) {
    const due = sorted(this.tasks, [({ dueAt }) => dueAt, ({ id }) => id])
    const taken = due.filter(({ dueAt }) => dueAt <= now).slice(0, limit)
    const claimed = taken.map((each) => ({ ...each, dueAt: until }))
    this.tasks = [...this.tasks.filter((each) => !taken.includes(each)), ...claimed]
    return claimed
  }

  async pullBack() {
    throw new Error('No history sets a clock back')
  }

  async listDue(limit: number) {
    const deliveries = this.deliveries.filter(({ dueAt }) => dueAt !== undefined)
    return {
      deliveries: sorted(deliveries, [({ dueAt }) => dueAt ?? 0, ({ id }) => id]).slice(0, limit),
      tasks: sorted(this.tasks, [({ dueAt }) => dueAt, ({ id }) => id]).slice(0, limit),
    }
  }

  async nextDueAt() {
    const due = [...this.deliveries, ...this.tasks].flatMap(({ dueAt }) => dueAt ?? [])
    return due.length === 0 ? undefined : Math.min(...due)
  }

  async card(cardId: string) {
    return this.cards.find((each) => each.cardId === cardId)
  }

  async cardReference(login: string, referenceId: string) {
    return this.references.find((each) => each.referenceId === referenceId && each.login === login)
  }

  async cardsNotUnder(keyId: string, after: string, limit: number) {
    const others = this.cards.filter((each) => each.keyId !== keyId && each.cardId > after)
    return sorted(others, [({ cardId }) => cardId]).slice(0, limit)
  }

  async rewrapCard({ cardId, keyId, wrappedKey }: SealedCard, from: SealedCard) {
    const at = this.cards.findIndex((each) => each.cardId === cardId)
    const card = this.cards[at]
    if (card?.keyId !== from.keyId || String(card.wrappedKey) !== String(from.wrappedKey)) return false
    this.cards[at] = { ...card, keyId, wrappedKey }
    return true
  }

  async recurringPayment(login: string, clientOrderId: string) {
    return this.recurring.find((each) => isNamed(each, { login, clientOrderId }))
  }

  async recurringPaymentById(recurringPaymentId: string) {
    return this.recurring.find((each) => each.recurringPaymentId === recurringPaymentId)
  }

  async recentOrders(login: string, limit: number) {
    const own = this.orders.filter(({ order }) => order.login === login).reverse()
    return sorted(own, [({ changedAt }) => -changedAt])
      .slice(0, limit)
      .map(({ order }) => order)
  }

  async listOrders({ login, endpointId, clientOrderId, last, limit, ...span }: OrderQuery) {
    const found = this.orders
      .map(({ order }) => order)
      .filter((each) => isWithin(each.createdAt, each.orderId, span))
      .filter((each) => login === undefined || each.login === login)
      .filter((each) => endpointId === undefined || each.endpointId === endpointId)
      .filter((each) => clientOrderId === undefined || each.clientOrderId === clientOrderId)
      .filter(({ operations }) => {
        const { status, kind } = operations.at(-1) ?? {}
        return last === undefined || last.some((one) => one.status === status && (one.kind ?? kind) === kind)
      })
    const orders = latestFirst(found, ({ createdAt, orderId }) => [createdAt, orderId]).slice(0, limit)
    const { createdAt: at = 0, orderId: id = '' } = orders.at(-1) ?? {}
    return { orders, next: orders.length === limit ? { at, id } : undefined }
  }

  async listGivenUp({ login, limit, ...span }: GivenUpQuery) {
    const ofLogin = this.orders.filter(({ order }) => login === undefined || order.login === login)
    const found = this.deliveries
      .filter(({ orderId }) => ofLogin.some(({ order }) => order.orderId === orderId))
      .filter(({ givenUpAt, id }) => givenUpAt !== undefined && isWithin(givenUpAt, id, span))
    const deliveries = latestFirst(found, ({ givenUpAt = 0, id }) => [givenUpAt, id]).slice(0, limit)
    const { givenUpAt: at = 0, id = '' } = deliveries.at(-1) ?? {}
    return { deliveries, next: deliveries.length === limit ? { at, id } : undefined }
  }

  async operatorRecords({ orderId, limit }: RecordFilter) {
    return this.records.filter((each) => orderId === undefined || each.orderId === orderId).slice(0, limit)
  }

  async reset() {
    Object.assign(this, new PlainStore(), { records: this.records })
  }

  async isReady() {
    return true
  }

  async close() {}
}

function no(conflict: 'order' | 'client-order-id' | 'recurring-payment' | 'nonce'): CommitResult {
  return { ok: false, conflict }
}

interface Named {
  readonly login: string
  readonly clientOrderId: string
}

function isNamed(one: Named, other: Named): boolean {
  return one.login === other.login && one.clientOrderId === other.clientOrderId
}

function isWithin(at: number, id: string, { since, until, after }: Span): boolean {
  if (since !== undefined && at < since) return false
  if (until !== undefined && at >= until) return false
  return after === undefined || at < after.at || (at === after.at && id < after.id)
}

function latestFirst<Item>(items: readonly Item[], place: (item: Item) => readonly [at: number, id: string]): Item[] {
  return sorted(items, [(item) => place(item)[0], (item) => place(item)[1]]).reverse()
}

/** Items that are equal stay in the order of their arrival. */
function sorted<Item>(items: readonly Item[], keys: readonly ((item: Item) => number | string)[]): Item[] {
  return [...items].sort((one, other) => {
    for (const key of keys) {
      if (key(one) < key(other)) return -1
      if (key(one) > key(other)) return 1
    }
    return 0
  })
}

function isSame(one: Delivery, other: Delivery): boolean {
  return one.id === other.id && one.orderId === other.orderId
}
