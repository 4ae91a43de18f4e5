import type { Clock } from '@tallystick/client'
import { mutex } from '@tallystick/durable/mutex'
import { HandlerTimeoutError, inTime } from '../runtime/concurrency.ts'

/** Does pieces of work side by side, a limited number at a time: one that never ends occupies one worker and no more. */
export interface WorkerPool {
  /** Begins what there is to do, as far as workers are free, and does not wait for its end. */
  begin(): Promise<void>
  /** Works until there is nothing more to do, or so many times `take` gave something. Gives how many pieces had an effect meanwhile. */
  finish(most?: number): Promise<number>
  /** Resolves when the pieces that were begun have ended. Begins no others. */
  stop(): Promise<void>
}

interface WorkerPoolOptions<Item> {
  /** How many pieces are done at a time. */
  readonly concurrency: number
  /** Gives what there is to do. `free`: the number of free workers. */
  readonly take: (free: number) => Promise<readonly Item[]>
  /** Two pieces with one name are not done at the same time: the second is dropped, for a later `take`. */
  readonly nameOf: (item: Item) => string
  /** Gives whether it had an effect. It does not throw. */
  readonly work: (item: Item) => Promise<boolean>
  /** Called after a piece that had an effect: there may be more to do, here or elsewhere. */
  readonly onDone: () => void
  /** For work that can wait: `begin` takes nothing for so long by this clock after there was nothing to do. */
  readonly rest?: { readonly clock: Pick<Clock, 'now'>; readonly ms: number }
}

/** The rest of work that is due in days. */
export const WATCH_REST_MS = 60_000

export function workerPool<Item>({
  concurrency,
  take,
  nameOf,
  work,
  onDone,
  rest,
}: WorkerPoolOptions<Item>): WorkerPool {
  const waiting: Item[] = []
  const working = new Map<string, Promise<void>>()
  let done = 0
  let foundNothingAt = Number.NEGATIVE_INFINITY
  /** One `take` after the other: two at the same time would count on the same free workers. */
  const exclusively = mutex()
  /** Whoever comes before it has begun needs none of its own. */
  let next: Promise<void> | undefined

  async function begin(): Promise<void> {
    const rested = (rest?.clock.now() ?? 0) - foundNothingAt
    // A negative time means that the clock was set back.
    if (rest !== undefined && rested >= 0 && rested < rest.ms) return
    next ??= exclusively(async () => {
      next = undefined
      await fill()
    })
    await next
  }

  async function fill(): Promise<void> {
    if (waiting.length > 0 || working.size >= concurrency) return
    const items = await take(concurrency - working.size)
    if (items.length === 0 && rest !== undefined) foundNothingAt = rest.clock.now()
    waiting.push(...items)
    staff()
  }

  function staff(): void {
    while (working.size < concurrency) {
      const next = waiting.shift()
      if (next === undefined) return
      const name = nameOf(next)
      if (!working.has(name)) working.set(name, handle(next, name))
    }
  }

  async function handle(item: Item, name: string): Promise<void> {
    const hadEffect = await work(item)
    working.delete(name)
    staff()
    if (!hadEffect) return
    done++
    onDone()
  }

  /** Resolves when no piece is being done, including those that came meanwhile. */
  async function ended(): Promise<void> {
    while (working.size > 0) await Promise.all(working.values())
  }

  async function finish(most = Number.POSITIVE_INFINITY): Promise<number> {
    const before = done
    for (let [last, rounds] = [-1, 0]; last < done && rounds < most; rounds++) {
      // `begin` takes nothing while all workers are busy.
      await ended()
      last = done
      await exclusively(fill)
      await ended()
    }
    return done - before
  }

  return {
    begin,
    finish,
    stop: async () => {
      waiting.length = 0
      // What is being taken now is begun as well, as far as workers are free.
      await exclusively(async () => {
        waiting.length = 0
      })
      await ended()
    },
  }
}

interface Limit {
  readonly clock: Clock
  readonly limitMs: number
  /** The name of the work, for the message. */
  readonly what: string
}

/**
 * Waits for the merchant's function, if it ends in time.
 *
 * @throws HandlerTimeoutError when it does not; what the function throws
 */
export async function withinLimit(work: () => void | Promise<void>, { clock, limitMs, what }: Limit): Promise<void> {
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  const noted = async () => {
    try {
      await work()
    } finally {
      resolve()
    }
  }
  const late = () => {
    throw new HandlerTimeoutError(what, limitMs, ended)
  }
  await inTime(noted, { clock, limitMs, late })
}
