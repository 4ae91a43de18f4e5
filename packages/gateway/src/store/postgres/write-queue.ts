import { requireDecided } from '../check-change.ts'
import type { OrderCache } from '../sql/order-cache.ts'
import type { Change, Committed } from '../store.ts'
import { StoreError } from '../store-error.ts'
import type { ConflictQuestions } from './conflicts.ts'
import { howManyTogether, type Job, ordersIn } from './job.ts'
import type { NonceWindow } from './nonce-window.ts'
import { CollisionError } from './patience.ts'
import { type TransactionTools, transact, type Work } from './transaction.ts'
import { type BatchTools, type WrittenBatch, writeBatch } from './write-batch.ts'

/** Everything that this process writes for an order, one transaction after the other, each with all that waits. */
export interface WriteQueue {
  commit(change: Change, now: number): Promise<Committed>
  /** Runs this in its turn, while nothing else is being written. */
  alone<Result>(work: () => Promise<Result>): Promise<Result>
  /** Writes what waits, and takes nothing more. */
  close(): Promise<void>
}

export interface WriteQueueTools extends BatchTools {
  readonly transactions: TransactionTools
  readonly conflicts: ConflictQuestions
  readonly window: NonceWindow
  readonly cache: OrderCache
  /** Runs what it is given once no more work is on its way in this turn. */
  readonly soon: (flush: () => void) => void
}

interface Waiting extends Job {
  readonly tell: (committed: Committed) => void
  readonly fail: (error: unknown) => void
}

/** Most that share a transaction. */
const MOST_TOGETHER = 256

/**
 * Many writers share one transaction, because making it durable costs as much as writing for dozens of them. What comes
 * while one is under way goes into the next. A change that meets another is tried again by itself, after those that came
 * before it.
 */
export function writeQueue(tools: WriteQueueTools): WriteQueue {
  const { cache, window, transactions, conflicts, soon } = tools
  const waiting: (Waiting | (() => Promise<void>))[] = []
  let running: Promise<void> | undefined
  let isClosed = false

  function start(): void {
    running ??= run().finally(() => {
      running = undefined
      if (waiting.length > 0) start()
    })
  }

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      await new Promise<void>(soon)
      const [first] = waiting
      if (typeof first === 'function') {
        waiting.shift()
        await first()
      } else {
        await writeAll(takeTogether())
      }
    }
  }

  function takeTogether(): readonly Waiting[] {
    const jobs: Waiting[] = []
    for (const each of waiting) {
      if (typeof each === 'function' || jobs.length === MOST_TOGETHER) break
      jobs.push(each)
    }
    const together = howManyTogether(jobs)
    waiting.splice(0, together)
    return jobs.slice(0, together)
  }

  /** In the order of their arrival, however they are divided. */
  async function writeAll(jobs: readonly Waiting[]): Promise<void> {
    const [only] = jobs
    if (only === undefined) return
    const met = await writeTogether(jobs)
    if (met === undefined) return
    if (jobs.length === 1) return await writeSingly(only)
    await writeAll(jobs.slice(0, met))
    await writeAll(jobs.slice(met, met + 1))
    await writeAll(jobs.slice(met + 1))
  }

  /** Gives the place of the first that meets another; of a fault, which may be anybody's, the middle. */
  async function writeTogether(jobs: readonly Waiting[]): Promise<number | undefined> {
    try {
      await window.see(jobs)
      const { met, written } = await transact(() => together(jobs), transactions)
      if (met.size > 0) {
        forget(jobs.filter((_, at) => met.has(at)))
        return Math.min(...met.keys())
      }
      for (const each of written) cache.set(each)
      for (const { tell } of jobs) tell({ ok: true })
    } catch (error) {
      forget(jobs)
      if (!(error instanceof StoreError)) return jobs.length >> 1
      failAll(jobs, error)
    }
    return undefined
  }

  function* together(jobs: readonly Job[]): Work<WrittenBatch> {
    const result = yield* writeBatch(jobs, cache, tools)
    return { keep: result.met.size === 0, result }
  }

  async function writeSingly(job: Waiting): Promise<void> {
    try {
      job.tell(await transact(() => single(job), transactions))
    } catch (error) {
      failAll([job], error)
    }
  }

  /** Says which conflict there is, the one that is told first; where there is none, writes the change. */
  function* single(job: Job): Work<Committed> {
    const { order, recurringPayment } = job.change
    const conflict =
      (order === undefined ? undefined : yield* conflicts.ofOrder(order)) ??
      (yield* conflicts.ofRecurring(recurringPayment))
    if (conflict !== undefined) return { keep: false, result: { ok: false, conflict } }
    const isPageTaken = yield* conflicts.isPageTaken(order?.order)
    const met = (yield* writeBatch([job], undefined, tools)).met.get(0)
    if (met === undefined) return { keep: true, result: { ok: true } }
    if (met === 'nonce' || (met === 'both' && isPageTaken)) {
      return { keep: false, result: { ok: false, conflict: 'nonce' } }
    }
    if (isPageTaken) throw new TypeError('Another order has this page token')
    throw new CollisionError('Another node was quicker')
  }

  function failAll(jobs: readonly Waiting[], error: unknown): void {
    for (const { fail } of jobs) fail(error)
  }

  function forget(jobs: readonly Job[]): void {
    for (const { change } of jobs) for (const orderId of ordersIn(change)) cache.forget(orderId)
  }

  function refusal(): StoreError | undefined {
    return isClosed ? new StoreError('CLOSED', 'The store is closed') : undefined
  }

  return {
    commit: async (change, now) => {
      requireDecided(change)
      const refused = refusal()
      if (refused !== undefined) throw refused
      return await new Promise((tell, fail) => {
        waiting.push({ change, now, tell, fail })
        start()
      })
    },
    alone: async (work) => {
      const refused = refusal()
      if (refused !== undefined) throw refused
      return await new Promise((resolve, reject) => {
        waiting.push(() => work().then(resolve, reject))
        start()
      })
    },
    close: async () => {
      isClosed = true
      while (running !== undefined) await running
    },
  }
}
