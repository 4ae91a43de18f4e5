import type { OpenOutcome, OrphanTerms } from '@tallystick/client/internal'
import type {
  InboxEntry,
  Intent,
  JournalOutcome,
  NewOutcome,
  OrphanChange,
  OrphanClaim,
  OrphanOrder,
  StoredOutcome,
} from '@tallystick/client/ports'
import { earliest } from '../../runtime/concurrency.ts'
import type { ClockSetBack } from '../../runtime/system.ts'
import { LONGEST_WATCH_WAIT_MS } from '../../status/watch.ts'
import { isFree } from './intent-table.ts'

interface OutcomeRow {
  readonly outcome: JournalOutcome
  failures: number
  dueAt: number
  handledAt: number | undefined
}

/** Outcomes in the order in which they came, and which of them the handler was called with. */
export class OutcomeTable {
  readonly #rows = new Map<string, OutcomeRow>()
  /** The keys of the outcomes that are being delivered. */
  readonly #underWay = new Set<string>()

  add(outcome: NewOutcome): void {
    const number = [...this.#rows.values()].filter((other) => isSameOrder(other.outcome, outcome)).length + 1
    const key = `${outcome.clientOrderId}:${number}`
    this.#rows.set(key, { outcome: { ...outcome, key, number }, failures: 0, dueAt: 0, handledAt: undefined })
  }

  /** The first open outcome of each order, if it is due. Those that were put off come last. */
  open(now: number): readonly OpenOutcome[] {
    return this.#firstOpen()
      .filter(({ dueAt }) => dueAt <= now)
      .toSorted((one, other) => one.dueAt - other.dueAt)
  }

  ofOrders(ids: ReadonlySet<string>): readonly StoredOutcome[] {
    return [...this.#rows.values()]
      .filter(({ outcome }) => ids.has(outcome.clientOrderId))
      .map(({ outcome, failures, handledAt }) => ({ outcome, failures, handledAt }))
  }

  nextDueAt(): number | undefined {
    return earliest(this.#firstOpen().map(({ dueAt }) => dueAt))
  }

  countOpen(): number {
    return [...this.#rows.values()].filter(({ handledAt }) => handledAt === undefined).length
  }

  /** Delivers an outcome, once at a time, as in a database. */
  async deliver(key: string, now: number, handler: () => void | Promise<void>): Promise<'done' | 'not-mine'> {
    const row = this.#rows.get(key)
    if (row === undefined || row.handledAt !== undefined || this.#underWay.has(key)) return 'not-mine'
    this.#underWay.add(key)
    try {
      await handler()
      row.handledAt = now
      return 'done'
    } finally {
      this.#underWay.delete(key)
    }
  }

  putOff(key: string, dueAt: number): void {
    const row = this.#rows.get(key)
    if (row === undefined) return
    row.failures++
    row.dueAt = dueAt
  }

  pullBack({ now, latest, putOffMs }: ClockSetBack): void {
    for (const row of this.#rows.values()) if (row.dueAt > latest + putOffMs) row.dueAt = now
  }

  #firstOpen(): readonly OutcomeRow[] {
    const first = new Map<string, OutcomeRow>()
    for (const row of this.#rows.values()) {
      const { clientOrderId } = row.outcome
      if (row.handledAt === undefined && !first.has(clientOrderId)) first.set(clientOrderId, row)
    }
    return [...first.values()]
  }
}

function isSameOrder(one: NewOutcome, other: NewOutcome): boolean {
  return one.clientOrderId === other.clientOrderId
}

interface OrphanRow {
  order: OrphanOrder
  nextCheckAt: number | undefined
  watchAt: number | undefined
  leaseUntil: number | undefined
  /** When the merchant was told, unless a callback came since. */
  reportedAt: number | undefined
}

/** Orders that no intent has, in the order in which their first callbacks came. */
export class OrphanTable {
  readonly #rows = new Map<string, OrphanRow>()

  receive(entry: InboxEntry, { limit, checkAt }: OrphanTerms): 'orphan' | 'full' {
    const key = keyOf(entry)
    const before = this.#rows.get(key)
    if (before === undefined && this.open().length >= limit) return 'full'
    const { receivedAt = entry.receivedAt, callbacks = 0, reported } = before?.order ?? {}
    this.#rows.set(key, {
      order: { ...entry, receivedAt, wokenAt: entry.receivedAt, callbacks: callbacks + 1, reported },
      nextCheckAt: Math.min(before?.nextCheckAt ?? checkAt, checkAt),
      watchAt: before?.watchAt,
      leaseUntil: before?.leaseUntil,
      reportedAt: undefined,
    })
    return 'orphan'
  }

  /** The orders that were not reported since their last callback. */
  open(): readonly OrphanOrder[] {
    return this.#all()
      .filter(({ reportedAt }) => reportedAt === undefined)
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
    const watchOf = ({ nextCheckAt, watchAt }: OrphanRow) => (nextCheckAt === undefined ? watchAt : undefined)
    const timeOf = (one: OrphanRow) => (watched ? watchOf(one) : one.nextCheckAt) ?? Number.POSITIVE_INFINITY
    const due = this.#all()
      .filter((one) => timeOf(one) <= now && isFree(one, now, watched))
      .filter(({ order }) => !ofOpenings || isOfOpening(order))
      .toSorted((one, other) => timeOf(one) - timeOf(other))
      .slice(0, limit)
    for (const one of due) one.leaseUntil = leaseUntil
    return due.map(({ order }) => ({ ...order, leaseUntil }))
  }

  renew(orphan: OrphanOrder, leaseUntil: number): boolean {
    const row = this.#leased(orphan)
    if (row !== undefined) row.leaseUntil = leaseUntil
    return row !== undefined
  }

  settle(orphan: OrphanOrder, { nextCheckAt, watchAt, reported, at }: OrphanChange, again: number): void {
    const row = this.#leased(orphan)
    if (row === undefined) return
    const isWoken = row.order.callbacks !== orphan.callbacks
    row.leaseUntil = undefined
    row.nextCheckAt = isWoken ? again : nextCheckAt
    row.watchAt = watchAt
    if (reported === undefined) return
    row.order = { ...row.order, reported }
    if (!isWoken) row.reportedAt = at
  }

  /** Orders woken or claimed before the clock was set back are checked now, and their schedule starts over. */
  pullBack({ now, latest, leaseMs }: ClockSetBack): void {
    for (const row of this.#all()) {
      const { order, nextCheckAt, watchAt = now, leaseUntil = latest } = row
      if (watchAt > now + LONGEST_WATCH_WAIT_MS) row.watchAt = now
      const isLeaseAhead = leaseUntil > latest + leaseMs
      if (nextCheckAt === undefined || !(order.wokenAt > latest || isLeaseAhead)) continue
      row.order = { ...order, wokenAt: now }
      row.nextCheckAt = now
      if (isLeaseAhead) row.leaseUntil = now + leaseMs
    }
  }

  /** Removes the order of an intent. */
  forget({ clientOrderId, orderId }: Intent): void {
    if (orderId !== undefined) this.#rows.delete(keyOf({ clientOrderId, orderId }))
  }

  forgetReportedBefore(at: number): void {
    for (const [key, { reportedAt = at }] of this.#rows) if (reportedAt < at) this.#rows.delete(key)
  }

  /** The claimed order, unless another process has claimed it since. */
  #leased(orphan: OrphanOrder): OrphanRow | undefined {
    const row = this.#rows.get(keyOf(orphan))
    return row?.leaseUntil === orphan.leaseUntil ? row : undefined
  }

  #all(): readonly OrphanRow[] {
    return [...this.#rows.values()]
  }
}

function keyOf({ clientOrderId, orderId }: Pick<InboxEntry, 'clientOrderId' | 'orderId'>): string {
  return JSON.stringify([clientOrderId, orderId])
}
