import { AsyncLocalStorage } from 'node:async_hooks'
import type { Clock } from '@tallystick/client'
import type { Intent } from '@tallystick/client/ports'
import { afterThisTurn, systemClock } from './system.ts'

interface Limit<Result> {
  readonly clock: Clock
  readonly limitMs: number
  /** Gives the result, or throws, if the work is late. */
  readonly late: () => Result
}

/**
 * The result of the work if it ends in time, else that of `late`. Late work goes on, and its result is ignored.
 *
 * The time passes in two halves, with a turn of the event loop in between: however far a clock jumps at once, work that needs no
 * time is not late.
 */
export async function inTime<Result>(
  work: () => Result | Promise<Result>,
  { clock, limitMs, late }: Limit<Result>,
): Promise<Result> {
  const { promise: isOver, resolve } = Promise.withResolvers<void>()
  let isDone = false
  const secondHalf = () => {
    if (!isDone) cancel = clock.schedule(limitMs / 2, resolve)
  }
  let cancel = clock.schedule(limitMs / 2, () => afterThisTurn(secondHalf))
  try {
    return await Promise.race([work(), isOver.then(late)])
  } finally {
    isDone = true
    cancel()
  }
}

/** Runs the calls of one name after another, in the order in which they came. */
type KeyedMutex = <Result>(name: string, call: () => Promise<Result>) => Promise<Result>

/**
 * A customer who presses twice is shown the answer to the second press. It has to come after that to the first one: until then
 * nobody knows more than that the payment is on its way, and there is no form to go to. A call in another process waits by
 * `waitWhileSent`.
 */
export function keyedMutex(): KeyedMutex {
  const lastCalls = new Map<string, Promise<unknown>>()
  return async (name, call) => {
    const before = lastCalls.get(name)
    const mine = before === undefined ? call() : before.then(call, call)
    lastCalls.set(name, mine)
    try {
      return await mine
    } finally {
      if (lastCalls.get(name) === mine) lastCalls.delete(name)
    }
  }
}

/** Asks the status of an intent, and gives the intent as it is then. */
export type StatusCheck = (intent: Intent) => Promise<Intent>

/** A caller who asks during a status check of the intent waits for that one: anybody can make many browsers return at once. */
export function singleFlight(check: StatusCheck): StatusCheck {
  const underWay = new Map<string, Promise<Intent>>()
  return (intent) => {
    const { intentId } = intent
    const begun = underWay.get(intentId) ?? check(intent).finally(() => underWay.delete(intentId))
    underWay.set(intentId, begun)
    return begun
  }
}

/** How items are written that may share a write. */
export interface Shared {
  /** Whether the write must not wait long for what others have locked: items wait behind it. */
  readonly isLimited: boolean
  /** Whether the item may have been written before, by a write that has failed. */
  readonly isAgain: boolean
}

interface TogetherOptions<Item, Result> {
  /** Two items with one name are not in the same write. Default: they may be. */
  readonly nameOf?: (item: Item) => string
  readonly write: (items: readonly Item[], how: Shared) => Promise<readonly Result[]>
  /** Whether a limited write failed because it would have had to wait. Default: none does. */
  readonly isLocked?: (error: unknown) => boolean
}

/** How many items share a write at most. */
const MOST_TOGETHER = 64
/** A write that takes longer, as on a connection that has gone silent, holds up no others. */
const HOLDS_UP_MS = 1000

/**
 * Has the items of many callers written together: those that come while a write is under way share the next one. If it fails, each is
 * written by itself, so that none fails or waits because of another.
 */
export function together<Item, Result>({
  nameOf,
  write,
  isLocked = () => false,
}: TogetherOptions<Item, Result>): (item: Item) => Promise<Result> {
  interface Job {
    readonly item: Item
    readonly resolve: (result: Result) => void
    readonly reject: (reason: unknown) => void
  }
  let waiting: Job[] = []
  let isUnderWay = false
  // A write is nobody's own: it must not seem to be made within the call that it happens to begin in.
  const outside = AsyncLocalStorage.snapshot()

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const { promise: isLate, resolve } = Promise.withResolvers<void>()
      const cancel = systemClock.schedule(HOLDS_UP_MS, resolve)
      await Promise.race([writeTogether(next()), isLate])
      cancel()
    }
    isUnderWay = false
  }

  function next(): readonly Job[] {
    const jobs = new Map<unknown, Job>()
    const left: Job[] = []
    for (const job of waiting) {
      const name = nameOf?.(job.item) ?? job
      if (jobs.size < MOST_TOGETHER && !jobs.has(name)) jobs.set(name, job)
      else left.push(job)
    }
    waiting = left
    return [...jobs.values()]
  }

  async function writeTogether(jobs: readonly Job[]): Promise<void> {
    try {
      await settle(jobs, { isLimited: true, isAgain: false })
    } catch (error) {
      const isFinal = jobs.length === 1 && !isLocked(error)
      for (const job of jobs) {
        if (isFinal) job.reject(error)
        else settle([job], { isLimited: false, isAgain: true }).catch(job.reject)
      }
    }
  }

  async function settle(jobs: readonly Job[], how: Shared): Promise<void> {
    const items = jobs.map(({ item }) => item)
    const results = await write(items, how)
    for (const [index, job] of jobs.entries()) job.resolve(results[index] as Result)
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (isUnderWay) return
      isUnderWay = true
      outside(afterThisTurn, () => void writeAll())
    })
}

/** Calls that have begun and not ended. */
export class UnderWay {
  readonly #calls = new Set<Promise<unknown>>()

  /** Whether there are any. */
  get isAny(): boolean {
    return this.#calls.size > 0
  }

  /** Counts a call until it ends, whether it succeeds or fails. */
  async during<Result>(call: () => Promise<Result>): Promise<Result> {
    const running = call()
    this.#calls.add(running)
    try {
      return await running
    } finally {
      this.#calls.delete(running)
    }
  }

  /** Resolves when none is left, including those that begin meanwhile. */
  async ended(): Promise<void> {
    while (this.isAny) await Promise.allSettled(this.#calls)
  }
}

export function earliest(times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined)
  return known.length === 0 ? undefined : Math.min(...known)
}

/** The handler did not end in time. It may still be running: nothing that it was given may be used by anything else. */
export class HandlerTimeoutError extends Error {
  readonly code = 'HANDLER_TIMEOUT'
  /** Resolves when the handler has ended after all, however it did. */
  readonly #ended: Promise<void>

  constructor(what: string, limitMs: number, ended: Promise<void>) {
    super(`${what} did not end within ${limitMs} ms (handlerTimeoutMs); it is called again later`)
    this.name = 'HandlerTimeoutError'
    this.#ended = ended
  }

  get ended(): Promise<void> {
    return this.#ended
  }
}
