import type { InboxEntry, Intent, StrayChange, StrayClaim, StrayOrder, StrayTerms } from '@tallystick/client'
import type { ClockSetBack } from '../../runtime/clock-set-back.ts'
import { LONGEST_WATCH_WAIT_MS } from '../../status/watch.ts'
import { isFree } from './intent-table.ts'

interface Shelved {
  order: StrayOrder
  nextCheckAt: number | undefined
  watchAt: number | undefined
  leaseUntil: number | undefined
  /** When the merchant was told, unless a callback came since. */
  toldAt: number | undefined
}

/** Orders that no intent has, in the order in which their first callbacks came. */
export class StrayShelf {
  readonly #shelved = new Map<string, Shelved>()

  receive(entry: InboxEntry, { limit, checkAt }: StrayTerms): 'stray' | 'full' {
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
    return 'stray'
  }

  /** The orders that were not reported since their last callback. */
  open(): readonly StrayOrder[] {
    return this.#all()
      .filter(({ toldAt }) => toldAt === undefined)
      .map(({ order }) => order)
  }

  named(name: string): readonly StrayOrder[] {
    const orders = this.#all().map(({ order }) => order)
    return orders.filter(({ clientOrderId, orderId }) => clientOrderId === name || orderId === name)
  }

  claimDue(
    { now, leaseUntil, limit, watched = false, ofOpenings = false }: StrayClaim,
    isOfOpening: (order: StrayOrder) => boolean,
  ): readonly StrayOrder[] {
    // What a callback says is not told yet: its own check decides that, and plans the next watch.
    const watchOf = ({ nextCheckAt, watchAt }: Shelved) => (nextCheckAt === undefined ? watchAt : undefined)
    const timeOf = (one: Shelved) => (watched ? watchOf(one) : one.nextCheckAt) ?? Number.POSITIVE_INFINITY
    const due = this.#all()
      .filter((one) => timeOf(one) <= now && isFree(one, now, watched))
      .filter(({ order }) => !ofOpenings || isOfOpening(order))
      .toSorted((one, other) => timeOf(one) - timeOf(other))
      .slice(0, limit)
    for (const one of due) one.leaseUntil = leaseUntil
    return due.map(({ order }) => ({ ...order, leaseUntil }))
  }

  renew(stray: StrayOrder, leaseUntil: number): boolean {
    const shelved = this.#leased(stray)
    if (shelved !== undefined) shelved.leaseUntil = leaseUntil
    return shelved !== undefined
  }

  settle(stray: StrayOrder, { nextCheckAt, watchAt, told, at }: StrayChange, again: number): void {
    const shelved = this.#leased(stray)
    if (shelved === undefined) return
    const isWoken = shelved.order.callbacks !== stray.callbacks
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
  #leased(stray: StrayOrder): Shelved | undefined {
    const shelved = this.#shelved.get(keyOf(stray))
    return shelved?.leaseUntil === stray.leaseUntil ? shelved : undefined
  }

  #all(): readonly Shelved[] {
    return [...this.#shelved.values()]
  }
}

function keyOf({ clientOrderId, orderId }: Pick<InboxEntry, 'clientOrderId' | 'orderId'>): string {
  return JSON.stringify([clientOrderId, orderId])
}
