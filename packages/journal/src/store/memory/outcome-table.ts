import type { JournalOutcome, NewOutcome, OpenOutcome, StoredOutcome } from '@tallystick/client'
import type { ClockSetBack } from '../../runtime/clock-set-back.ts'
import { earliest } from '../../runtime/earliest.ts'

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
