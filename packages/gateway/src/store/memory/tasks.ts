import { LONGEST_DAY_MS, wronglyPutOff } from '../check-change.ts'
import type { Attempted, Delivery } from '../delivery.ts'
import { byPlace, type GivenUpPage, type GivenUpQuery, isWithin } from '../listing.ts'
import type { Change, Claim, DueLimits, OrderTask, Task } from '../store.ts'

/** Deliveries and tasks, by when they are due. */
export class MemoryAgenda {
  readonly #deliveries = new DueQueue<Delivery>()
  readonly #deliveryKeys = new Map<string, Set<string>>()
  readonly #tasks = new DueQueue<Task>()

  deliveriesOf(orderId: string): readonly Delivery[] {
    return [...(this.#deliveryKeys.get(orderId) ?? [])]
      .flatMap((key) => this.#deliveries.get(key) ?? [])
      .sort((one, other) => one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1))
  }

  givenUp({ limit, ...span }: GivenUpQuery, isMeant: (delivery: Delivery) => boolean): GivenUpPage {
    const page = [...this.#deliveries.values()]
      .flatMap((each) => (each.givenUpAt === undefined ? [] : [{ delivery: each, at: each.givenUpAt, id: each.id }]))
      .filter((each) => isWithin(each, span) && isMeant(each.delivery))
      .sort(byPlace)
      .slice(0, limit)
    return { deliveries: page.map(({ delivery }) => delivery), next: page.length === limit ? page.at(-1) : undefined }
  }

  tasksOf(orderId: string): readonly OrderTask[] {
    return [...this.#tasks.values()]
      .flatMap((task) => (task.kind !== 'charge' && task.orderId === orderId ? task : []))
      .sort((one, other) => one.dueAt - other.dueAt || (one.id < other.id ? -1 : 1))
  }

  due(limit: number) {
    return { deliveries: this.#deliveries.due(limit), tasks: this.#tasks.due(limit) }
  }

  claimDeliveries(claim: Claim): readonly Delivery[] {
    return this.#deliveries.claim(claim)
  }

  claimTasks(claim: Claim): readonly Task[] {
    return this.#tasks.claim(claim)
  }

  nextDueAt(): number | undefined {
    const next = Math.min(this.#deliveries.nextDueAt() ?? Infinity, this.#tasks.nextDueAt() ?? Infinity)
    return Number.isFinite(next) ? next : undefined
  }

  pullBack(limits: DueLimits): void {
    const { now, deliveryWaits, tryWaits, longestMs } = limits
    const { after, until } = wronglyPutOff(limits)
    this.#deliveries.pullBack(({ made }) => now + (deliveryWaits[made] ?? deliveryWaits.at(-1) ?? 0))
    this.#tasks.pullBack((task) => {
      const { kind, tried, dueAt } = task
      if (kind === 'lookup' || (kind === 'charge' && tried > 0)) return now + (tryWaits[tried] ?? tryWaits.at(-1) ?? 0)
      const latest = kind === 'charge' ? latestCharge(task.date) : now + longestMs
      return dueAt > after && (dueAt <= until || dueAt > latest) ? now : dueAt
    })
  }

  write({ deliveries = [], attempts = [], tasks = [], doneTasks = [] }: Change): void {
    for (const delivery of deliveries) this.#writeDelivery(delivery)
    for (const attempted of attempts) this.#writeAttempt(attempted)
    for (const id of doneTasks) this.#tasks.delete(id)
    for (const task of tasks) this.#tasks.set(task.id, task)
  }

  #writeAttempt({ delivery, claimedUntil }: Attempted): void {
    const dueAt = this.#deliveries.get(keyOf(delivery))?.dueAt
    if (dueAt !== undefined && dueAt === claimedUntil) this.#writeDelivery(delivery)
  }

  #writeDelivery(delivery: Delivery): void {
    const key = keyOf(delivery)
    const keys = this.#deliveryKeys.get(delivery.orderId)
    if (keys === undefined) this.#deliveryKeys.set(delivery.orderId, new Set([key]))
    else keys.add(key)
    this.#deliveries.set(key, delivery)
  }
}

function keyOf({ id, orderId }: Delivery): string {
  return `${id} ${orderId}`
}

/** An item that waits for its time. */
interface Due {
  readonly id: string
  readonly dueAt?: number | undefined
}

interface Entry {
  readonly dueAt: number
  readonly key: string
}

/**
 * Items by when they are due, the earliest first. A binary heap: an item that moved leaves an old entry in it, which is
 * skipped when it comes up.
 */
class DueQueue<Item extends Due> {
  readonly #items = new Map<string, Item>()
  #heap: Entry[] = []

  get(key: string): Item | undefined {
    return this.#items.get(key)
  }

  values(): Iterable<Item> {
    return this.#items.values()
  }

  /** Adds an item, or replaces the one with this key. */
  set(key: string, item: Item): void {
    this.#items.set(key, item)
    if (item.dueAt !== undefined) this.#push({ dueAt: item.dueAt, key })
  }

  delete(key: string): void {
    this.#items.delete(key)
  }

  /** Those that are due at all, the earliest first. */
  due(limit: number): readonly Item[] {
    const items = [...this.#items.values()].filter(({ dueAt }) => dueAt !== undefined)
    const at = ({ dueAt = 0 }: Item) => dueAt
    return items.sort((one, other) => at(one) - at(other) || (one.id < other.id ? -1 : 1)).slice(0, limit)
  }

  nextDueAt(): number | undefined {
    return this.#first()?.dueAt
  }

  /** Takes the earliest items that are due. They are due again at `until`. */
  claim({ now, until, limit }: { readonly now: number; readonly until: number; readonly limit: number }): Item[] {
    const claimed: [string, Item][] = []
    while (claimed.length < limit) {
      const first = this.#first()
      const item = first && this.#items.get(first.key)
      if (first === undefined || item === undefined || first.dueAt > now) break
      this.#pop()
      const taken = { ...item, dueAt: until }
      this.#items.set(first.key, taken)
      claimed.push([first.key, taken])
    }
    for (const [key, item] of claimed) this.set(key, item)
    return claimed.map(([, item]) => item)
  }

  /** Moves items to the time that `limitOf` gives, if they are due later. */
  pullBack(limitOf: (item: Item) => number): void {
    for (const [key, item] of this.#items) {
      const dueAt = Math.round(limitOf(item))
      if (item.dueAt !== undefined && item.dueAt > dueAt) this.set(key, { ...item, dueAt })
    }
  }

  /** The earliest entry that still holds. */
  #first(): Entry | undefined {
    for (let first = this.#heap[0]; first !== undefined; first = this.#heap[0]) {
      if (this.#items.get(first.key)?.dueAt === first.dueAt) return first
      this.#pop()
    }
    return undefined
  }

  #push(entry: Entry): void {
    if (this.#heap.length > 2 * this.#items.size + 64) this.#forgetOld()
    const heap = this.#heap
    let at = heap.length
    heap.push(entry)
    while (at > 0) {
      const above = (at - 1) >> 1
      if (isBefore(heap[above], entry)) break
      heap[at] = heap[above] as Entry
      at = above
    }
    heap[at] = entry
  }

  #pop(): void {
    const heap = this.#heap
    const last = heap.pop()
    if (last === undefined || heap.length === 0) return
    let at = 0
    for (;;) {
      const left = 2 * at + 1
      const least = isBefore(heap[left + 1], heap[left]) ? left + 1 : left
      if (!isBefore(heap[least], last)) break
      heap[at] = heap[least] as Entry
      at = least
    }
    heap[at] = last
  }

  #forgetOld(): void {
    this.#heap = this.#heap
      .filter(({ key, dueAt }) => this.#items.get(key)?.dueAt === dueAt)
      .sort((one, other) => (isBefore(one, other) ? -1 : 1))
  }
}

function isBefore(one: Entry | undefined, other: Entry | undefined): boolean {
  if (one === undefined || other === undefined) return one !== undefined
  return one.dueAt < other.dueAt || (one.dueAt === other.dueAt && one.key < other.key)
}

/** After this, a charge that was not tried is later than its date. */
function latestCharge(date: string): number {
  return Date.parse(date) + LONGEST_DAY_MS
}
