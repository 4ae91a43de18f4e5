import type {
  InboxEntry,
  Intent,
  JournalOutcome,
  NewOutcome,
  OpenOutcome,
  OrphanChange,
  OrphanClaim,
  OrphanOrder,
  OrphanTerms,
  StoredOutcome,
} from '@tallystick/client'
import { earliest } from '../../runtime/concurrency.ts'
import type { ClockSetBack } from '../../runtime/system.ts'
import { LONGEST_WATCH_WAIT_MS } from '../../status/watch.ts'
import { isFree } from './intent-table.ts'

interface Shelved {
  readonly outcome: JournalOutcome
  failures: number
  dueAt: number
  handledAt: number | undefined
}

/** Outcomes in the order in which they came, and which of them the handler was called with. */
export class OutcomeShelf {
  readonly #shelved = new Map<string, Shelved>()
  /** The keys of the outcomes that are being handed over. */
  readonly #underWay = new Set<string>()

  add(outcome: NewOutcome): void {
    const number = [...this.#shelved.values()].filter((other) => isSameOrder(other.outcome, outcome)).length + 1
    const key = `${outcome.clientOrderId}:${number}`
    this.#shelved.set(key, { outcome: { ...outcome, key, number }, failures: 0, dueAt: 0, handledAt: undefined })
  }

  /** The first open outcome of each order, if it is due. Those that were put off come last. */
  open(now: number): readonly OpenOutcome[] {
    return this.#firstOpen()
      .filter(({ dueAt }) => dueAt <= now)
      .toSorted((one, other) => one.dueAt - other.dueAt)
  }

  ofOrders(ids: ReadonlySet<string>): readonly StoredOutcome[] {
    return [...this.#shelved.values()]
      .filter(({ outcome }) => ids.has(outcome.clientOrderId))
      .map(({ outcome, failures, handledAt }) => ({ outcome, failures, handledAt }))
  }

  nextDueAt(): number | undefined {
    return earliest(this.#firstOpen().map(({ dueAt }) => dueAt))
  }

  countOpen(): number {
    return [...this.#shelved.values()].filter(({ handledAt }) => handledAt === undefined).length
  }

  /** Hands an outcome over, once at a time, as in a database. */
  async handOver(key: string, now: number, handler: () => void | Promise<void>): Promise<'done' | 'not-mine'> {
    const shelved = this.#shelved.get(key)
    if (shelved === undefined || shelved.handledAt !== undefined || this.#underWay.has(key)) return 'not-mine'
    this.#underWay.add(key)
    try {
      await handler()
      shelved.handledAt = now
      return 'done'
    } finally {
      this.#underWay.delete(key)
    }
  }

  putOff(key: string, dueAt: number): void {
    const shelved = this.#shelved.get(key)
    if (shelved === undefined) return
    shelved.failures++
    shelved.dueAt = dueAt
  }

  pullBack({ now, latest, putOffMs }: ClockSetBack): void {
    for (const shelved of this.#shelved.values()) if (shelved.dueAt > latest + putOffMs) shelved.dueAt = now
  }

  #firstOpen(): readonly Shelved[] {
    const first = new Map<string, Shelved>()
    for (const shelved of this.#shelved.values()) {
      const { clientOrderId } = shelved.outcome
      if (shelved.handledAt === undefined && !first.has(clientOrderId)) first.set(clientOrderId, shelved)
    }
    return [...first.values()]
  }
}

function isSameOrder(one: NewOutcome, other: NewOutcome): boolean {
  return one.clientOrderId === other.clientOrderId
}

interface StoredOrphan {
  order: OrphanOrder
  nextCheckAt: number | undefined
  watchAt: number | undefined
  leaseUntil: number | undefined
  /** When the merchant was told, unless a callback came since. */
  toldAt: number | undefined
}

/** Orders that no intent has, in the order in which their first callbacks came. */
export class OrphanShelf {
  readonly #shelved = new Map<string, StoredOrphan>()

  receive(entry: InboxEntry, { limit, checkAt }: OrphanTerms): 'orphan' | 'full' {
    const key = keyOf(entry)
    const before = this.#shelved.get(key)
    if (before === undefined && this.open().length >= limit) return 'full'
    const { receivedAt = entry.receivedAt, callbacks = 0, told } = before?.order ?? {}
    this.#shelved.set(key, {
      order: { ...entry, receivedAt, wokenAt: entry.receivedAt, callbacks: callbacks + 1, told },
      nextCheckAt: Math.min(before?.nextCheckAt ?? checkAt, checkAt),
      watchAt: before?.watchAt,
      leaseUntil: before?.leaseUntil,
      toldAt: undefined,
    })
    return 'orphan'
  }

  /** The orders that were not reported since their last callback. */
  open(): readonly OrphanOrder[] {
    return this.#all()
      .filter(({ toldAt }) => toldAt === undefined)
      .map(({ order }) => order)
  }

  named(name: string): readonly OrphanOrder[] {
    const orders = this.#all().map(({ order }) => order)
    return orders.filter(({ clientOrderId, orderId }) => clientOrderId === name || orderId === name)
  }

  claimDue(
    { now, leaseUntil, limit, watched = false, ofOpenings = false }: OrphanClaim,
    isOfOpening: (order: OrphanOrder) => boolean,
  ): readonly OrphanOrder[] {
    // What a callback says is not told yet: its own check decides that, and plans the next watch.
    const watchOf = ({ nextCheckAt, watchAt }: StoredOrphan) => (nextCheckAt === undefined ? watchAt : undefined)
    const timeOf = (one: StoredOrphan) => (watched ? watchOf(one) : one.nextCheckAt) ?? Number.POSITIVE_INFINITY
    const due = this.#all()
      .filter((one) => timeOf(one) <= now && isFree(one, now, watched))
      .filter(({ order }) => !ofOpenings || isOfOpening(order))
      .toSorted((one, other) => timeOf(one) - timeOf(other))
      .slice(0, limit)
    for (const one of due) one.leaseUntil = leaseUntil
    return due.map(({ order }) => ({ ...order, leaseUntil }))
  }

  renew(orphan: OrphanOrder, leaseUntil: number): boolean {
    const shelved = this.#leased(orphan)
    if (shelved !== undefined) shelved.leaseUntil = leaseUntil
    return shelved !== undefined
  }

  settle(orphan: OrphanOrder, { nextCheckAt, watchAt, told, at }: OrphanChange, again: number): void {
    const shelved = this.#leased(orphan)
    if (shelved === undefined) return
    const isWoken = shelved.order.callbacks !== orphan.callbacks
    shelved.leaseUntil = undefined
    shelved.nextCheckAt = isWoken ? again : nextCheckAt
    shelved.watchAt = watchAt
    if (told === undefined) return
    shelved.order = { ...shelved.order, told }
    if (!isWoken) shelved.toldAt = at
  }

  /** Orders woken or claimed before the clock was set back are checked now, and their schedule starts over. */
  pullBack({ now, latest, leaseMs }: ClockSetBack): void {
    for (const shelved of this.#all()) {
      const { order, nextCheckAt, watchAt = now, leaseUntil = latest } = shelved
      if (watchAt > now + LONGEST_WATCH_WAIT_MS) shelved.watchAt = now
      const isLeaseAhead = leaseUntil > latest + leaseMs
      if (nextCheckAt === undefined || !(order.wokenAt > latest || isLeaseAhead)) continue
      shelved.order = { ...order, wokenAt: now }
      shelved.nextCheckAt = now
      if (isLeaseAhead) shelved.leaseUntil = now + leaseMs
    }
  }

  /** Removes the order of an intent. */
  forget({ clientOrderId, orderId }: Intent): void {
    if (orderId !== undefined) this.#shelved.delete(keyOf({ clientOrderId, orderId }))
  }

  forgetToldBefore(at: number): void {
    for (const [key, { toldAt = at }] of this.#shelved) if (toldAt < at) this.#shelved.delete(key)
  }

  /** The claimed order, unless another process has claimed it since. */
  #leased(orphan: OrphanOrder): StoredOrphan | undefined {
    const shelved = this.#shelved.get(keyOf(orphan))
    return shelved?.leaseUntil === orphan.leaseUntil ? shelved : undefined
  }

  #all(): readonly StoredOrphan[] {
    return [...this.#shelved.values()]
  }
}

function keyOf({ clientOrderId, orderId }: Pick<InboxEntry, 'clientOrderId' | 'orderId'>): string {
  return JSON.stringify([clientOrderId, orderId])
}
