import type { Clock } from './clock.ts'
import { afterNextTurn } from './system.ts'

/** Work that continues after a request was acknowledged. `serialNumber`: of that request, reported with a failure. */
export interface Background {
  run(task: () => Promise<void>, serialNumber?: string): void
  /** As `run`, and resolves when this work has ended, successfully or not. */
  runToEnd(task: () => Promise<void>, serialNumber?: string): Promise<void>
  /** Resolves when nothing is running any more, including work that other work started. */
  settled(): Promise<void>
}

export function background(onError: (error: unknown, serialNumber?: string) => void): Background {
  const running = new Set<Promise<void>>()
  function runToEnd(task: () => Promise<void>, serialNumber?: string): Promise<void> {
    const work = task()
      .catch((error: unknown) => onError(error, serialNumber))
      .finally(() => running.delete(work))
    running.add(work)
    return work
  }

  return {
    run: (task, serialNumber) => void runToEnd(task, serialNumber),
    runToEnd,
    settled: async () => {
      while (running.size > 0) await Promise.all(running)
    },
  }
}

/** How long a request may take. After that a merchant has to ask for the status (gaps part 13), and a browser has to retry. */
export const ANSWER_WITHIN_MS = 30_000

/** How long a task waits for the acquirer. Its claim lasts longer, so nobody asks the acquirer the same meanwhile. */
export const WITHIN_CLAIM_MS = 50_000

/**
 * The answer, if it comes in time. A later one is ignored. An answer that has arrived by the time the timer runs still counts:
 * after a stall of the process, or a jump of a virtual clock, timers run before what was waiting to be read.
 *
 * @throws Error if it does not
 */
export function inTime<Answer>(answer: Promise<Answer>, clock: Clock, withinMs = ANSWER_WITHIN_MS): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const isOver = () => reject(new Error('The answer took too long'))
    const cancel = clock.schedule(withinMs, async () => {
      await new Promise<void>((read) => afterNextTurn(read))
      isOver()
    })
    const ending = <Outcome>(end: (outcome: Outcome) => void) => {
      return (outcome: Outcome) => {
        cancel()
        end(outcome)
      }
    }
    answer.then(ending(resolve), ending(reject))
  })
}

/** Whether a request that came at `at` has timed out by now. */
export function isTooLate(at: number, clock: Pick<Clock, 'now'>): boolean {
  return clock.now() >= at + ANSWER_WITHIN_MS
}

/** Does the work for each of the items, at most `limit` at a time. Rejects if the work for one throws. */
export async function mapLimit<Item>(
  limit: number,
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const left = items.values()
  const worker = async () => {
    for (const item of left) await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker))
}

/**
 * Runs the work once at a time. All callers during a run share the next one, because what this one sees may be too old for
 * them. So calls do not queue up behind work that takes long, as when a database is away.
 */
export function coalesce<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | undefined
  let next: Promise<Result> | undefined

  function begin(): Promise<Result> {
    next = undefined
    running = work().finally(() => {
      running = undefined
    })
    return running
  }

  return () => {
    if (next !== undefined) return next
    if (running === undefined) return begin()
    next = running.then(begin, begin)
    return next
  }
}

const FIRST_WAIT_MS = 60_000
const LONGEST_WAIT_MS = 3_600_000

/**
 * Does work that nobody else would repeat. After a failure it tries again a minute later, then less and less often, until it
 * succeeds. Otherwise an outcome that the store cannot take now would wait for the next process. Once the store is closed it
 * gives up: the next process takes over what is left.
 *
 * @param serialNumber of the request whose work it is
 * @throws what the first try threw
 */
export async function retryWithBackoff(
  work: () => Promise<unknown>,
  service: { readonly clock: Clock; readonly background: Background },
  serialNumber: string,
  waitMs = FIRST_WAIT_MS,
): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!isClosed(error)) {
      const next = Math.min(2 * waitMs, LONGEST_WAIT_MS)
      const again = () => retryWithBackoff(work, service, serialNumber, next)
      service.clock.schedule(waitMs, () => service.background.runToEnd(again, serialNumber))
    }
    throw error
  }
}

function isClosed(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'CLOSED'
}

/** Resolves when the work has ended, or after `ms` at the latest. */
export async function endedWithin(ms: number, work: Promise<void>): Promise<void> {
  const patience = Promise.withResolvers<void>()
  const timer = setTimeout(patience.resolve, ms)
  await Promise.race([work, patience.promise]).finally(() => clearTimeout(timer))
}

/** How many results are cached, and for texts of what length: a browser may send anything. */
const MOST = 1000
const LONGEST = 200

/** The same function with a cache, for texts that come again and again. */
export function memoize<Made>(make: (text: string) => Made): (text: string) => Made {
  const known = new Map<string, Made>()
  return (text) => {
    const made = known.get(text) ?? make(text)
    if (known.size >= MOST) known.clear()
    if (text.length <= LONGEST) known.set(text, made)
    return made
  }
}
