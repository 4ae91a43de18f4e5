import type { Background } from '../background.ts'
import type { Deliverer } from '../callbacks/deliverer.ts'
import type { Clock } from '../clock.ts'
import { dueTimes } from '../store/due-times.ts'
import type { Change, Store } from '../store/store.ts'
import type { Task } from '../store/task.ts'
import { inHand } from './in-hand.ts'
import { onceMore } from './once-more.ts'

/** What is due later, and who sees to it. The tables are the truth: the agenda only knows when to look. */
export interface Agenda {
  /** Sees to what a change that was written made due, now or later. */
  note(change: Change): void
  /** Looks what is due by now, and when the next is. */
  wake(): void
  stop(): void
}

export interface AgendaDependencies {
  readonly store: Store
  readonly clock: Clock
  readonly background: Background
  readonly deliverer: Deliverer
  readonly runTask: (task: Task) => Promise<void>
}

/** Most deliveries that are taken in hand at one look, and most tasks that are in hand at a time. */
const AT_ONCE = 256
/** How long what was taken in hand is left alone, by others and after a crash. */
const LEASE_MS = 60_000
/** When the store could not be asked, or there was no room for what is due, it is asked again after this. */
const AGAIN_AFTER_MS = 5000
/** Timers of Node reach 24 days, and a hold may last longer: nothing is slept through for longer than this. */
const LONGEST_SLEEP_MS = 86_400_000
/** Under constant load a look never comes to its end with all that follows from it, so only the latest ones are followed. */
const MOST_FOLLOWED = 16

export function agenda({ store, clock, background, deliverer, runTask }: AgendaDependencies): Agenda {
  let armed: { readonly at: number; readonly cancel: () => void } | undefined
  /** For each of the timer's latest looks that is not at its end: the looks that began since and still go on. */
  const following = new Set<Set<Promise<void>>>()
  let soon: Promise<void> | undefined
  let isStopped = false
  const tasksInHand = inHand({
    most: AT_ONCE,
    work: (task) => background.runToEnd(() => runTask(task)),
    onRoom: lookSoon,
  })

  /**
   * Sets the one timer to the next that is due. What is due already is looked for at once, in one look for many. A timer
   * that should have run by now is not waited for: the clock was set ahead.
   */
  function expect(at: number): void {
    if (isStopped || (armed !== undefined && armed.at <= at && clock.now() <= armed.at)) return
    if (at <= clock.now()) lookSoon()
    else arm(at)
  }

  function arm(at: number): void {
    armed?.cancel()
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

  /** The store may fail: what is due must not be forgotten with the one timer. */
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
   * Takes what is due and begins to see to all of it: a clock that is told to go on waits for that. What fails holds up
   * nothing else, is told, and is due again when the lease is over.
   */
  const takeInHand = onceMore(async () => {
    if (isStopped) return { seenTo: undefined }
    const now = clock.now()
    const claim = { now, until: now + LEASE_MS, limit: AT_ONCE }
    const room = tasksInHand.room(now)
    const [deliveries, tasks] = await Promise.all([
      store.claimDeliveries(claim),
      room === 0 ? [] : store.claimTasks({ ...claim, limit: room }),
    ])
    const next = await store.nextDueAt()
    // What is due by now and has no room is not looked for at once: it would be again and again.
    const hasRoom = tasks.length < room || deliveries.length >= AT_ONCE
    if (next !== undefined) expect(hasRoom || next > now ? next : now + AGAIN_AFTER_MS)
    return {
      seenTo: Promise.all([
        ...deliveries.map((delivery) => background.runToEnd(() => deliverer.deliver(delivery))),
        ...tasks.map((task) => tasksInHand.seeTo(task)),
      ]),
    }
  })

  return {
    note: (change) => {
      for (const dueAt of dueTimes(change)) expect(dueAt)
    },
    wake: lookSoon,
    stop: () => {
      isStopped = true
      armed?.cancel()
    },
  }
}
