import type { StoredOrder } from '../../orders/order.ts'
import { requireDecided } from '../check-change.ts'
import type { RecurringPayment } from '../recurring-payment.ts'
import type { OrderCache } from '../sql/order-cache.ts'
import type { Change, CommitResult, Conflict, OrderChange } from '../store.ts'
import { StoreError } from '../store-error.ts'
import { howManyTogether, ordersIn, type QueuedChange } from './batch-plan.ts'
import type { NonceWindow } from './nonce-window.ts'
import { CollisionError } from './retry.ts'
import type { Answer, Statement } from './statement.ts'
import type { Statements } from './statements.ts'
import { type Step, type TransactionTools, transact, type Work } from './transaction.ts'
import { type BatchTools, type WrittenBatch, writeBatch } from './write-batch.ts'

/** Writes the changes of this process, one transaction after the other, each with all that wait. */
export interface WriteQueue {
  commit(change: Change, now: number): Promise<CommitResult>
  /** Runs the work in its turn, while nothing else is being written. */
  alone<Result>(work: () => Promise<Result>): Promise<Result>
  /** Writes what waits, and accepts no more. */
  close(): Promise<void>
}

interface WriteQueueTools extends BatchTools {
  readonly transactions: TransactionTools
  readonly conflicts: ConflictQuestions
  readonly window: NonceWindow
  readonly cache: OrderCache
  /** Runs `flush` once no more work is on its way in this turn of the event loop. */
  readonly soon: (flush: () => void) => void
}

interface Waiting extends QueuedChange {
  readonly tell: (committed: CommitResult) => void
  readonly fail: (error: unknown) => void
}

/** The most changes that share a transaction. */
const MOST_TOGETHER = 256

/**
 * Many writers share one transaction, because making it durable costs as much as the writes of dozens of them. Changes that
 * come while one is under way go into the next. A change that conflicts is tried again by itself, after those that came
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
    const batch: Waiting[] = []
    for (const each of waiting) {
      if (typeof each === 'function' || batch.length === MOST_TOGETHER) break
      batch.push(each)
    }
    const together = howManyTogether(batch)
    waiting.splice(0, together)
    return batch.slice(0, together)
  }

  /** In the order of their arrival, however they are divided. */
  async function writeAll(batch: readonly Waiting[]): Promise<void> {
    const [only] = batch
    if (only === undefined) return
    const met = await writeTogether(batch)
    if (met === undefined) return
    if (batch.length === 1) return await writeSingly(only)
    await writeAll(batch.slice(0, met))
    await writeAll(batch.slice(met, met + 1))
    await writeAll(batch.slice(met + 1))
  }

  /** Returns the place of the first change that conflicts; after an error, which any of them may have caused, the middle. */
  async function writeTogether(batch: readonly Waiting[]): Promise<number | undefined> {
    try {
      window.see(batch)
      const { met, written } = await transact(() => together(batch), transactions)
      if (met.size > 0) {
        forget(batch.filter((_, at) => met.has(at)))
        return Math.min(...met.keys())
      }
      for (const each of written) cache.set(each)
      for (const { tell } of batch) tell({ ok: true })
    } catch (error) {
      forget(batch)
      if (!(error instanceof StoreError)) return batch.length >> 1
      for (const { fail } of batch) fail(error)
    }
    return undefined
  }

  function* together(batch: readonly QueuedChange[]): Work<WrittenBatch> {
    const result = yield* writeBatch(batch, cache, tools)
    return { keep: result.met.size === 0, result }
  }

  async function writeSingly(queued: Waiting): Promise<void> {
    try {
      queued.tell(await transact(() => single(queued), transactions))
    } catch (error) {
      queued.fail(error)
    }
  }

  /** Returns the conflict to report; if there is none, writes the change. */
  function* single(queued: QueuedChange): Work<CommitResult> {
    const { order, recurringPayment } = queued.change
    const conflict =
      (order === undefined ? undefined : yield* conflicts.ofOrder(order)) ??
      (yield* conflicts.ofRecurring(recurringPayment))
    if (conflict !== undefined) return { keep: false, result: { ok: false, conflict } }
    const isPageTaken = yield* conflicts.isPageTaken(order?.order)
    const met = (yield* writeBatch([queued], undefined, tools)).met.get(0)
    if (met === undefined) return { keep: true, result: { ok: true } }
    if (met === 'nonce' || (met === 'both' && isPageTaken)) {
      return { keep: false, result: { ok: false, conflict: 'nonce' } }
    }
    if (isPageTaken) throw new TypeError('Another order has this page token')
    throw new CollisionError('Another node was quicker')
  }

  function forget(batch: readonly QueuedChange[]): void {
    for (const { change } of batch) for (const orderId of ordersIn(change)) cache.forget(orderId)
  }

  function requireOpen(): void {
    if (isClosed) throw new StoreError('CLOSED', 'The store is closed')
  }

  return {
    commit: async (change, now) => {
      requireDecided(change)
      requireOpen()
      return await new Promise((tell, fail) => {
        waiting.push({ change, now, tell, fail })
        start()
      })
    },
    alone: async (work) => {
      requireOpen()
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

/** The questions that find the conflict to report. */
interface ConflictQuestions {
  /** Why the order cannot be written: the order itself, or one of its names, conflicts. */
  ofOrder(change: OrderChange): Step<Conflict | undefined>
  ofRecurring(payment: RecurringPayment | undefined): Step<Conflict | undefined>
  /** Whether another order has the page token of this one: not a conflict, but a fault. */
  isPageTaken(order: StoredOrder | undefined): Step<boolean>
}

export function conflictQuestions(
  schema: string,
  { conflictingRecurring }: Pick<Statements, 'conflictingRecurring'>,
): ConflictQuestions {
  const ask = (name: string, condition: string, ...values: readonly (string | null)[]): Statement => {
    return { name, text: `SELECT version FROM ${schema}.orders WHERE ${condition} LIMIT 1`, values }
  }
  const byId = ({ orderId }: StoredOrder) => ask('version_of_order', 'order_id = $1', orderId)

  /** Asks about each name at once. The first that is taken counts. */
  function* ofNew({ order, repeatsAllowed = false }: OrderChange): Step<Conflict | undefined> {
    const { login, clientOrderId, signedAs = null } = order
    const [sameId, sameName, sameControl] = yield [
      byId(order),
      ask('order_named', 'login = $1 AND client_order_id = $2', login, clientOrderId),
      ask('order_signed', 'signed_as = $1 AND login = $2', signedAs, login),
    ]
    if (isThere(sameId)) return 'order'
    if (isThere(sameName) && !repeatsAllowed) return 'client-order-id'
    return isThere(sameControl) ? 'control' : undefined
  }

  return {
    *ofOrder(change) {
      if (change.basedOn === 'nothing') return yield* ofNew(change)
      const [found] = yield [byId(change.order)]
      return Number(found?.rows[0]?.['version']) === change.basedOn ? undefined : 'order'
    },
    *ofRecurring(payment) {
      if (payment === undefined) return undefined
      const [found] = yield [conflictingRecurring(payment)]
      return isThere(found) ? 'recurring-payment' : undefined
    },
    *isPageTaken(order) {
      const token = order?.details.pages?.token
      if (order === undefined || token === undefined) return false
      const [found] = yield [ask('order_of_page', 'page_token = $1 AND order_id <> $2', token, order.orderId)]
      return isThere(found)
    },
  }
}

function isThere(answer: Answer | undefined): boolean {
  return answer !== undefined && answer.rowCount > 0
}
