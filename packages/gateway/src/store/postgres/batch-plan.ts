import { sqlColumns } from '@tallystick/core/internal'
import type { OAuthNonce } from '@tallystick/signing/internal'
import type { Posting } from '../../ledger/ledger.ts'
import type { CardReference, SealedCard } from '../../vault/sealed-card.ts'
import { requireAppended } from '../check-change.ts'
import type { OperatorRecord } from '../operator-record.ts'
import type { RecurringPayment } from '../recurring-payment.ts'
import type { KnownOrder } from '../sql/order-cache.ts'
import type { OrderUpdate } from '../sql/order-rows.ts'
import type { AttemptWrite, PostingInsert, TaskWrite } from '../sql/rows.ts'
import type { Change, OrderChange } from '../store.ts'
import type { MarkedOperation, NumberedInsert } from './order-statements.ts'
import type { MarkedDelivery } from './statements.ts'

/** The rows of a batch, by the statement that writes them. */
export interface BatchPlan {
  readonly nonces: OAuthNonce[]
  readonly inserts: NumberedInsert[]
  readonly updates: OrderUpdate[]
  readonly newOperations: MarkedOperation[]
  readonly movedOperations: MarkedOperation[]
  readonly cards: SealedCard[]
  readonly references: CardReference[]
  readonly recurring: RecurringPayment[]
  readonly postings: PostingInsert[]
  readonly deliveries: MarkedDelivery[]
  readonly attempts: AttemptWrite[]
  readonly doneTasks: string[]
  readonly tasks: TaskWrite[]
  readonly records: OperatorRecord[]
  /** The orders as they are once the batch is written. */
  readonly written: KnownOrder[]
}

export interface PlanTools {
  /** The orders that were read, by their ids. */
  readonly known: ReadonlyMap<string, KnownOrder>
  readonly takeSeq: () => number
  /** How many earlier orders of the merchant have the client order id, if it may be used again. */
  readonly repetitionOf: (change: OrderChange) => number
  /** The number of this process. */
  readonly node: bigint
}

export function emptyPlan(): BatchPlan {
  return {
    nonces: [],
    inserts: [],
    updates: [],
    newOperations: [],
    movedOperations: [],
    cards: [],
    references: [],
    recurring: [],
    postings: [],
    deliveries: [],
    attempts: [],
    doneTasks: [],
    tasks: [],
    records: [],
    written: [],
  }
}

/**
 * Adds what a change writes.
 *
 * @returns whether the order is still the one that the change was decided on
 * @throws TypeError if the change is about a missing order or operation, or its order has lost one; the plan is then useless
 */
export function addToPlan(plan: BatchPlan, { change, now }: QueuedChange, tools: PlanTools): boolean {
  const after = change.order && addOrder(plan, change.order, now, tools)
  if (change.order !== undefined && after === undefined) return false
  const orderOf = (orderId: string): KnownOrder => {
    const found = after?.order.orderId === orderId ? after : tools.known.get(orderId)
    if (found === undefined) throw new TypeError(`There is no order ${orderId}`)
    return found
  }
  if (change.nonce !== undefined) plan.nonces.push(change.nonce)
  plan.cards.push(...(change.cards ?? []))
  plan.references.push(...(change.references ?? []))
  if (change.recurringPayment !== undefined) plan.recurring.push(change.recurringPayment)
  for (const posting of change.postings ?? []) plan.postings.push(postingOf(posting, orderOf(posting.orderId)))
  const claimedBy = change.claimsDeliveries === true ? tools.node : null
  for (const delivery of latest(change.deliveries ?? [], ({ id, orderId }) => `${orderId} ${id}`)) {
    plan.deliveries.push({ delivery, seq: orderOf(delivery.orderId).seq, claimedBy })
  }
  for (const attempted of latest(change.attempts ?? [], ({ delivery }) => `${delivery.orderId} ${delivery.id}`)) {
    plan.attempts.push({ ...attempted, seq: orderOf(attempted.delivery.orderId).seq })
  }
  plan.records.push(...(change.records ?? []))
  plan.doneTasks.push(...(change.doneTasks ?? []))
  for (const task of latest(change.tasks ?? [], ({ id }) => id)) {
    plan.tasks.push({ task, seq: task.kind === 'charge' ? undefined : orderOf(task.orderId).seq })
  }
  return true
}

function addOrder(plan: BatchPlan, change: OrderChange, now: number, tools: PlanTools): KnownOrder | undefined {
  const after = change.basedOn === 'nothing' ? addNew(plan, change, now, tools) : addNext(plan, change, now, tools)
  if (after !== undefined) plan.written.push(after)
  return after
}

function addNew(plan: BatchPlan, change: OrderChange, now: number, tools: PlanTools): KnownOrder {
  const { order } = change
  const seq = tools.takeSeq()
  plan.inserts.push({ order, sums: sqlColumns(order.operations), now, seq, repetition: tools.repetitionOf(change) })
  for (const [position, operation] of order.operations.entries()) {
    plan.newOperations.push({ seq, position, operation, node: tools.node })
  }
  return { seq, order }
}

/** Writes only those operations that are new or have changed. */
function addNext(
  plan: BatchPlan,
  { order, basedOn }: OrderChange,
  now: number,
  { known, node }: PlanTools,
): KnownOrder | undefined {
  const before = known.get(order.orderId)
  if (before === undefined || before.order.version !== basedOn) return undefined
  requireAppended(before.order.operations, order.operations)
  const { seq } = before
  const hasSameDetails = order.details === before.order.details
  plan.updates.push({
    order,
    sums: sqlColumns(order.operations),
    now,
    seq,
    before: before.order.version,
    hasSameDetails,
  })
  for (const [position, operation] of order.operations.entries()) {
    const there = before.order.operations[position]
    if (there === undefined) plan.newOperations.push({ seq, position, operation, node })
    else if (there !== operation) plan.movedOperations.push({ seq, position, operation, node })
  }
  return { seq, order }
}

function postingOf(posting: Posting, { seq, order }: KnownOrder): PostingInsert {
  const position = order.operations.findIndex(({ id }) => id === posting.operationId)
  if (position < 0) throw new TypeError(`There is no operation ${posting.operationId} of order ${posting.orderId}`)
  return { posting, seq, position }
}

/** A statement cannot write a row twice: of several items with one key, the last counts. */
function latest<Item>(items: readonly Item[], keyOf: (item: Item) => string): Iterable<Item> {
  return items.length < 2 ? items : new Map(items.map((item) => [keyOf(item), item])).values()
}

/** A change that waits to be written. */
export interface QueuedChange {
  readonly change: Change
  readonly now: number
}

/** The orders that a change is about. */
export function ordersIn({
  order,
  postings = [],
  deliveries = [],
  attempts = [],
  tasks = [],
}: Change): ReadonlySet<string> {
  const ids = new Set<string>()
  if (order !== undefined) ids.add(order.order.orderId)
  for (const { orderId } of postings) ids.add(orderId)
  for (const { orderId } of deliveries) ids.add(orderId)
  for (const { delivery } of attempts) ids.add(delivery.orderId)
  for (const task of tasks) if (task.kind !== 'charge') ids.add(task.orderId)
  return ids
}

/**
 * How many changes, from the first on, can be written together: no two of them are about the same order, recurring payment or task, so that
 * none has to see what another has written.
 */
export function howManyTogether(batch: readonly QueuedChange[]): number {
  const touched = new Set<string>()
  for (const [at, { change }] of batch.entries()) {
    const keys = keysOf(change)
    if (keys.some((key) => touched.has(key))) return at
    for (const key of keys) touched.add(key)
  }
  return batch.length
}

function keysOf(change: Change): readonly string[] {
  const { order, recurringPayment, tasks = [], doneTasks = [] } = change
  const keys = [...ordersIn(change)].map((id) => `order ${id}`)
  if (order?.repeatsAllowed === true) {
    keys.push(`name ${JSON.stringify([order.order.login, order.order.clientOrderId])}`)
  }
  if (recurringPayment !== undefined) {
    keys.push(`recurring ${JSON.stringify([recurringPayment.login, recurringPayment.clientOrderId])}`)
  }
  for (const id of new Set([...tasks.map((task) => task.id), ...doneTasks])) keys.push(`task ${id}`)
  return keys
}
