import type { Deliverer } from '../callbacks/deliverer.ts'
import { LONGEST_WAITS } from '../callbacks/retry.ts'
import { operationOf } from '../orders/operations.ts'
import { DOUBTED_FOR_MS, type WatchedClock } from '../runtime/clock.ts'
import { type Background, coalesce } from '../runtime/tasks.ts'
import { dueTimes } from '../store/check-change.ts'
import type { Change, Store, Task } from '../store/store.ts'

/** Runs what falls due: callbacks and tasks. The store's tables are the truth; the agenda only knows when to look at them. */
export interface Scheduler {
  /** The change with its deliveries claimed by this process, if it wants that and all are due: they are sent once it is noted. */
  claim(change: Change): Change
  /** Sends what a written change claimed, and plans to run what it made due, now or later. */
  note(change: Change): void
  /** Looks for what is due by now, and for when the next is. */
  wake(): void
  /**
   * Does so after the clock was set, or may have been: what lies further ahead than it can is pulled back.
   *
   * @param believed the time that was believed until then
   * @param said the time that the clock said, by which orders were written
   */
  clockSet(believed?: number, said?: number): void
  stop(): void
}

interface SchedulerDependencies {
  readonly store: Store
  readonly clock: WatchedClock
  readonly background: Background
  readonly deliverer: Deliverer
  readonly runTask: (task: Task) => Promise<void>
}

/** How long a claim lasts. Nobody else takes what was claimed before it ends, even after a crash. */
const LEASE_MS = 60_000
/** Holds and payout-checks last weeks, forms minutes: what waits longer is looked at. */
const LONGEST_PLAN_MS = 100 * 86_400_000
/** By how much a plan may be late because of a clock that was ahead: not all plans are looked at for less. */
const HARDLY_LATE_MS = 86_400_000
/** When to look again if the store failed, or if there was no room for what is due. */
const AGAIN_AFTER_MS = 5000
/** Node's timers reach 24 days, and a hold may last longer, so the agenda wakes at least this often. */
const LONGEST_SLEEP_MS = 86_400_000
/** Under constant load a look never comes to its end with all that follows from it, so only the latest ones are followed. */
const MOST_FOLLOWED = 16

export function createScheduler({ store, clock, background, deliverer, runTask }: SchedulerDependencies): Scheduler {
  let armed: { readonly at: number; readonly cancel: () => void } | undefined
  /** For each of the timer's latest looks that is not at its end: the looks that began since and still go on. */
  const following = new Set<Set<Promise<void>>>()
  let soon: Promise<void> | undefined
  let isStopped = false
  const tasksInHand = taskPool({
    most: TASKS_AT_ONCE,
    work: (task) => background.runToEnd(() => runTask(task)),
    onRoom: lookSoon,
  })

  /**
   * Sets the one timer to the next time that something is due. For what is due already it looks at once, in one look for many.
   * It does not rely on a timer that should have run by now, since the clock was set ahead: what that was for is due.
   */
  function expect(at: number): void {
    if (isStopped) return
    const now = clock.now()
    const isMissed = armed !== undefined && armed.at < now
    if (armed !== undefined && armed.at <= at && !isMissed) return
    if (isMissed) disarm()
    if (isMissed || at <= now) lookSoon()
    else arm(at)
  }

  function disarm(): void {
    armed?.cancel()
    armed = undefined
  }

  function arm(at: number): void {
    disarm()
    const delay = Math.min(at - clock.now(), LONGEST_SLEEP_MS)
    const cancel = clock.schedule(delay, () => {
      armed = undefined
      return lookToEnd()
    })
    armed = { at: clock.now() + delay, cancel }
  }

  /** Waits for what the look makes due at once, too, such as the callback of a charge, because `clock.advance` waits for this. */
  async function lookToEnd(): Promise<void> {
    const mine = new Set<Promise<void>>()
    following.add(mine)
    const [oldest] = following
    if (oldest !== undefined && following.size > MOST_FOLLOWED) following.delete(oldest)
    await background.runToEnd(look)
    for (const each of mine) await each
    following.delete(mine)
  }

  /** A look that has ended is forgotten, so that one that goes on for long does not keep all that began meanwhile. */
  function follow(looks: Set<Promise<void>>, each: Promise<void>): void {
    if (looks.has(each)) return
    looks.add(each)
    void each.finally(() => looks.delete(each))
  }

  function lookSoon(): void {
    soon ??= background.runToEnd(async () => {
      await Promise.resolve()
      soon = undefined
      await look()
    })
    for (const looks of following) follow(looks, soon)
  }

  /** If the store fails, sets the timer again: what is due must not be forgotten. */
  async function look(): Promise<void> {
    try {
      const { seenTo } = await takeInHand()
      await seenTo
    } catch (error) {
      expect(clock.now() + AGAIN_AFTER_MS)
      throw error
    }
  }

  /**
   * Claims what is due and starts all of it. A clock that is being advanced waits for it to end. A failure holds up nothing
   * else and is reported, and what failed is due again when the claim ends.
   */
  const takeInHand = coalesce(() => deliverer.whileClaiming(claimAndBegin))

  async function claimAndBegin() {
    if (isStopped) return { seenTo: undefined }
    const [now, trusted] = [clock.now(), clock.trusted()]
    const room = tasksInHand.room(trusted)
    const [deliveries, tasks] = await Promise.all([
      store.claimDeliveries({ now, until: now + LEASE_MS, limit: TASKS_AT_ONCE }),
      // A hold that is released and a charge that is made too early cannot be taken back.
      room === 0 ? [] : store.claimTasks({ now: trusted, until: trusted + LEASE_MS, limit: room }),
    ])
    const next = await store.nextDueAt()
    // What is due but has no room is not looked for at once: that would repeat endlessly.
    const hasRoom = (tasks.length < room && trusted === now) || deliveries.length >= TASKS_AT_ONCE
    if (next !== undefined) expect(hasRoom || next > now ? next : now + AGAIN_AFTER_MS)
    return {
      seenTo: Promise.all([
        ...deliveries.map((delivery) => background.runToEnd(() => deliverer.deliver(delivery))),
        ...tasks.map((task) => tasksInHand.seeTo(task)),
      ]),
    }
  }

  /** Without a look for them, and without reading the order again. */
  function send({ order: changed, deliveries = [] }: Change): void {
    if (changed === undefined) return
    const { login } = changed.order
    for (const delivery of deliveries) {
      const { serialNumber } = operationOf(changed.order, delivery.id)
      const sent = background.runToEnd(() => deliverer.deliver(delivery, { login, serialNumber }))
      for (const looks of following) follow(looks, sent)
    }
  }

  return {
    claim: (change) => {
      const { deliveries = [], claimsDeliveries = false } = change
      if (!claimsDeliveries) return change
      const now = clock.now()
      const mayClaim = !isStopped && store.cluster?.mayClaim() !== false
      if (!mayClaim || !deliveries.every(({ dueAt }) => dueAt !== undefined && dueAt <= now)) {
        return { ...change, claimsDeliveries: false }
      }
      return { ...change, deliveries: deliveries.map((delivery) => ({ ...delivery, dueAt: now + LEASE_MS })) }
    },
    note: (change) => {
      // The timer is also set for the end of a claim, by when its result may not have been written.
      for (const dueAt of dueTimes(change)) expect(dueAt)
      if (change.claimsDeliveries === true) send(change)
    },
    wake: lookSoon,
    clockSet: (believed = 0, said = 0) => {
      background.run(async () => {
        const now = clock.now()
        const limits = {
          now,
          believed,
          leaseMs: LEASE_MS,
          deliveryWaits: LONGEST_WAITS,
          tryWaits: TRY_WAITS,
          longestMs: longestPlan(said - now),
        }
        await store.pullBack(limits)
        lookSoon()
      })
    },
    stop: () => {
      isStopped = true
      disarm()
    },
  }
}

/** What was planned while the clock was ahead lies further ahead than that: until it is doubted no more, the clock went on. */
function longestPlan(aheadMs: number): number {
  const plannedMs = aheadMs - DOUBTED_FOR_MS
  return plannedMs > HARDLY_LATE_MS ? Math.min(plannedMs, LONGEST_PLAN_MS) : LONGEST_PLAN_MS
}

/** The most deliveries to claim at one look, and the most tasks in hand at a time. */
export const TASKS_AT_ONCE = 256

/** The tasks that this process has claimed and is running. */
interface InHand {
  /** How many more may be claimed now. A task whose claim has ended takes no room: it may never end, and anyone may claim it. */
  room(now: number): number
  /** Runs a task. Resolves when it has ended. */
  seeTo(task: Task): Promise<void>
}

interface InHandOptions {
  /** How many at a time. */
  readonly most: number
  /** Must not throw. */
  readonly work: (task: Task) => Promise<void>
  /** Called when half of the room is free again, after there was none. */
  readonly onRoom: () => void
}

/** Limits the tasks at a time: most of them ask the acquirer, which also has to answer the customers who are paying now. */
export function taskPool({ most, work, onRoom }: InHandOptions): InHand {
  const tasks = new Set<Task>()
  let isHeldUp = false

  return {
    room: (now) => {
      for (const task of tasks) if (task.dueAt <= now) tasks.delete(task)
      return Math.max(0, most - tasks.size)
    },
    seeTo: async (task) => {
      tasks.add(task)
      isHeldUp ||= tasks.size >= most
      await work(task)
      tasks.delete(task)
      if (!isHeldUp || tasks.size > most / 2) return
      isHeldUp = false
      onRoom()
    },
  }
}

/** How long to give the other side before each try. After the last of these, a day each. */
const WAITS: readonly number[] = [60_000, 300_000, 900_000, 3_600_000, 21_600_000]
const DAY_MS = 86_400_000
/** By how often it was tried. The last is for all above. */
export const TRY_WAITS: readonly number[] = [...WAITS, DAY_MS]
/** After so many tries it is left to the operator. */
export const MOST_TRIES = 30

/** How long to wait before the next try, after `tried` tries. */
export function waitBeforeTry(tried: number): number {
  return WAITS[tried] ?? DAY_MS
}
