import type { Attempted, Delivery } from '../delivery.ts'
import { latestCharge, wronglyPutOff } from '../due-times.ts'
import { byPlace, type GivenUpPage, type GivenUpQuery, isWithin } from '../listing.ts'
import type { Change, Claim, DueLimits } from '../store.ts'
import type { OrderTask, Task } from '../task.ts'
import { DueQueue } from './due-queue.ts'

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
