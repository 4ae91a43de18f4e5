import { isInWindow } from '../nonce-window.ts'
import type { KnownOrder, OrderCache } from '../sql/order-cache.ts'
import type { Change } from '../store.ts'
import { addToPlan, type BatchPlan, emptyPlan, ordersIn, type PlanTools, type QueuedChange } from './batch-plan.ts'
import { PartlyDoneError } from './connection-errors.ts'
import type { IdBlocks } from './locks.ts'
import { ordersOf } from './order-statements.ts'
import type { Answer, Row, Statement } from './statement.ts'
import type { Statements } from './statements.ts'
import type { Step } from './transaction.ts'

/** What a change conflicts with: its nonce was used before, or something else exists already or has changed, or both. */
type Met = 'nonce' | 'other' | 'both'

/** The result of writing changes together. */
export interface WrittenBatch {
  /** The changes that conflict, by their places in the batch. If there are any, the batch must not be kept. */
  readonly met: ReadonlyMap<number, Met>
  /** The orders as they are once the batch is kept. */
  readonly written: readonly KnownOrder[]
}

export interface BatchTools {
  readonly statements: Statements
  readonly seqs: IdBlocks
  readonly schema: string
  readonly node: () => bigint
}

/** Writes changes together, no two of which are about the same order or task. */
export function* writeBatch(
  batch: readonly QueuedChange[],
  cache: Pick<OrderCache, 'get'> | undefined,
  tools: BatchTools,
): Step<WrittenBatch> {
  yield* tools.seqs.reserve(batch.filter(({ change }) => change.order?.basedOn === 'nothing').length)
  const planTools = {
    known: yield* knownOrders(batch, cache, tools.statements),
    repetitionOf: yield* repetitions(batch, tools.schema),
    takeSeq: () => tools.seqs.take(),
    node: tools.node(),
  }
  const { plan, met } = planOf(batch, planTools)
  if (met.size > 0) return { met, written: [] }
  const { statements, checks } = statementsFor(plan, batch, tools.statements)
  const judge = (answers: readonly Answer[]) => {
    for (const [at, check] of checks) if (at < answers.length) check(answers[at], met)
  }
  if (statements.length > 0) yield* judged(statements, judge, met)
  return { met, written: plan.written }
}

/** If an order was not written, statements that refer to it fail. The cause is in the order's own answer. */
function* judged(
  statements: readonly Statement[],
  judge: (answers: readonly Answer[]) => void,
  met: ReadonlyMap<number, Met>,
): Step<void> {
  try {
    judge(yield statements)
  } catch (error) {
    if (!(error instanceof PartlyDoneError)) throw error
    judge(error.answers)
    if (met.size === 0) throw error
  }
}

/** A change that cannot even be planned is tried again by itself, and its error is reported there. */
function planOf(batch: readonly QueuedChange[], tools: PlanTools) {
  const plan = emptyPlan()
  const met = new Map<number, Met>()
  for (const [at, queued] of batch.entries()) {
    const { nonce } = queued.change
    try {
      if (nonce !== undefined && !isInWindow(nonce, queued.now)) met.set(at, 'nonce')
      else if (!addToPlan(plan, queued, tools)) met.set(at, 'other')
    } catch (error) {
      if (batch.length === 1) throw error
      met.set(at, 'other')
    }
  }
  return { plan, met }
}

type Check = (answer: Answer | undefined, met: Map<number, Met>) => void

/** Rows that others refer to are written first. */
function statementsFor(plan: BatchPlan, batch: readonly QueuedChange[], known: Statements) {
  const statements: Statement[] = []
  const checks: [number, Check][] = []
  const add = <Input>(make: (rows: readonly Input[]) => Statement, rows: readonly Input[], named?: Named) => {
    if (rows.length === 0) return
    if (named !== undefined) checks.push([statements.length, missing(batch, rows.length, named)])
    statements.push(make(rows))
  }
  add(known.consume, plan.nonces, NONCES)
  add(known.insertOrders, plan.inserts, NEW_ORDERS)
  add(known.updateOrders, plan.updates, OLD_ORDERS)
  add(known.insertOperations, plan.newOperations)
  add(known.updateOperations, plan.movedOperations)
  add(known.writeCards, plan.cards)
  add(known.writeReferences, plan.references)
  add(known.writeRecurring, plan.recurring, RECURRING)
  add(known.insertPostings, plan.postings)
  add(known.writeDeliveries, plan.deliveries)
  add(known.writeAttempts, plan.attempts)
  add(known.removeTasks, plan.doneTasks)
  add(known.writeTasks, plan.tasks)
  add(known.insertRecords, plan.records)
  return { statements, checks }
}

/** Rows that a statement returns if it has written them, and how to find the changes of those that are missing. */
interface Named {
  /** What a change met whose row is missing. */
  readonly kind: 'nonce' | 'other'
  readonly ofRow: (row: Row) => string
  readonly ofChange: (change: Change) => string | undefined
}

const NEW_ORDERS: Named = {
  kind: 'other',
  ofRow: (row) => String(row['order_id']),
  ofChange: ({ order }) => (order?.basedOn === 'nothing' ? order.order.orderId : undefined),
}
const OLD_ORDERS: Named = {
  ...NEW_ORDERS,
  ofChange: ({ order }) => (order?.basedOn === 'nothing' ? undefined : order?.order.orderId),
}
const RECURRING: Named = {
  kind: 'other',
  ofRow: (row) => String(row['recurring_payment_id']),
  ofChange: ({ recurringPayment }) => recurringPayment?.recurringPaymentId,
}
const NONCES: Named = {
  kind: 'nonce',
  ofRow: ({ timestamp, consumer_key, nonce }) => nonceName(Number(timestamp), consumer_key, nonce as Uint8Array),
  ofChange: ({ nonce }) => nonce && nonceName(nonce.timestamp, nonce.consumerKey, nonce.nonce),
}

function nonceName(timestamp: number, consumerKey: unknown, nonce: Uint8Array | string): string {
  return JSON.stringify([timestamp, consumerKey, Buffer.from(nonce).toString('hex')])
}

/** Finds the changes whose row was not written. A row that was written counts for the first change with its name. */
function missing(batch: readonly QueuedChange[], expected: number, { kind, ofRow, ofChange }: Named): Check {
  return (answer, met) => {
    if (answer?.rowCount === expected) return
    const there = new Set(answer?.rows.map(ofRow))
    for (const [at, { change }] of batch.entries()) {
      const name = ofChange(change)
      const before = met.get(at) ?? kind
      if (name !== undefined && !there.delete(name)) met.set(at, before === kind ? kind : 'both')
    }
  }
}

/** The existing orders that the changes are about, from the cache if it has the version that is meant. */
function* knownOrders(
  batch: readonly QueuedChange[],
  cache: Pick<OrderCache, 'get'> | undefined,
  { ordersById }: Statements,
): Step<ReadonlyMap<string, KnownOrder>> {
  const known = new Map<string, KnownOrder>()
  const unknown: string[] = []
  for (const { change } of batch) {
    for (const orderId of ordersIn(change)) {
      const { order } = change
      const changes = order?.order.orderId === orderId ? order.basedOn : undefined
      if (changes === 'nothing') continue
      const cached = cache?.get(orderId)
      if (cached !== undefined && (changes === undefined || cached.order.version >= changes)) known.set(orderId, cached)
      else unknown.push(orderId)
    }
  }
  if (unknown.length === 0) return known
  const [found] = yield [ordersById(unknown)]
  for (const each of ordersOf(found?.rows ?? [])) known.set(each.order.orderId, each)
  return known
}

const NONE = () => 0

/** The next repetition of each name that may be used again. */
function* repetitions(batch: readonly QueuedChange[], schema: string): Step<PlanTools['repetitionOf']> {
  const repeated = batch.flatMap(({ change: { order } }) => (order?.repeatsAllowed === true ? order : []))
  if (repeated.length === 0) return NONE
  const answers = yield repeated.map(({ order: { login, clientOrderId } }) => ({
    name: 'next_repetition',
    text: `SELECT coalesce(max(repetition) + 1, 0) AS next FROM ${schema}.orders WHERE login = $1 AND client_order_id = $2`,
    values: [login, clientOrderId],
  }))
  const next = new Map(repeated.map((change, at) => [change, Number(answers[at]?.rows[0]?.['next'])]))
  return (change) => next.get(change) ?? 0
}
