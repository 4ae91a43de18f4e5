import type { Decision } from '../acquirer/acquirer.ts'
import type { Service } from '../context.ts'
import { operationOf } from '../orders/operations.ts'
import type { StoredOperation, StoredOrder } from '../orders/order.ts'
import { inTime, mapLimit, WITHIN_CLAIM_MS } from '../runtime/tasks.ts'
import { MOST_TRIES, type Scheduler, TRY_WAITS, waitBeforeTry } from '../scheduler/scheduler.ts'
import type { AbandonedOperation, Cluster, OrderTask } from '../store/store.ts'
import { type AskedOperation, decisionOf } from './decision.ts'
import { askedOperation, conclude, named, ON_THE_WAY_FOR_MS } from './execute.ts'
import { settle } from './settle.ts'
import { isAhead, isWithoutOutcome, lookupId, lookupTask } from './tasks.ts'

/** The outcome of an operation that was written as sent and never reached the acquirer. It is never sent again. */
const NEVER_CARRIED_OUT: Decision = {
  status: 'error',
  errorCode: '6',
  errorMessage: 'The operation was interrupted before it was carried out.',
}

/** An operation that was sent and has no outcome, and its order as it was read. */
interface SentOperation {
  readonly order: StoredOrder
  readonly operation: StoredOperation
}

/** The sent operations of an order. Once they have been read, operations that this process sends are not among them. */
async function sentOperations(orderId: string, { store }: Service): Promise<readonly SentOperation[]> {
  const order = await store.orderById(orderId)
  if (order === undefined) return []
  return order.operations.filter(({ status }) => status === 'sent').map((operation) => ({ order, operation }))
}

/** Looks up what became of an operation that an earlier process sent. It is never sent again: that could charge twice. */
async function lookUpSent({ order, operation }: SentOperation, service: Service): Promise<void> {
  const asked = askedOperation(order, operation, service)
  await conclude(asked, () => lookUp(asked, service), service)
}

/**
 * Looks up an operation whose outcome the acquirer did not know. If it still does not, the next look-up is written; after the
 * last one the operator is told by `onError`.
 */
export async function lookUpUnknown(task: OrderTask, service: Service): Promise<void> {
  const order = await service.store.orderById(task.orderId)
  const operation = order?.operations.find(({ id }) => lookupId(id) === task.id)
  if (order === undefined || operation === undefined) return
  await service.background.runToEnd(() => lookUpAgain({ order, operation }, task, service), operation.serialNumber)
}

async function lookUpAgain({ order, operation }: SentOperation, task: OrderTask, service: Service): Promise<void> {
  if (isBeingAuthenticated(operation, service)) {
    const dueAt = service.clock.trusted() + waitBeforeTry(task.tried)
    return void (await service.commit({ tasks: [{ ...task, dueAt }] }))
  }
  const decision = await lookUp(askedOperation(order, operation, service), service, task.tried)
  const settled = await settle(order, operation, decision, service)
  const lookedUp = operationOf(settled, operation.id)
  const next = lookupTask(settled, lookedUp, service.clock.trusted(), task.tried + 1)
  // Refused if the order has changed since: that change may have replaced this look-up with another.
  const seen = { order: { ...settled, version: settled.version + 1 }, basedOn: settled.version }
  const goOn = next === undefined ? { doneTasks: [task.id] } : { tasks: [next] }
  const { ok } = await service.commit({ order: seen, ...goOn })
  if (ok && next === undefined && isWithoutOutcome(lookedUp))
    service.onError(leftToAPerson(settled, lookedUp), lookedUp.serialNumber)
}

/**
 * Whether the result of a 3DS step may still be on its way to the acquirer, which would then ask for the step again. If several
 * processes share the store, any of them may have sent it. If that one is gone, the look-up waits out the 15 minutes,
 * unless they were counted from a time that has been corrected.
 */
function isBeingAuthenticated({ id, outcome }: StoredOperation, { underWay, store, clock }: Service): boolean {
  const { submitted } = outcome
  if (submitted === undefined || !mayBeOnTheWay(submitted.at, clock.now()) || isAhead(submitted.at, clock.now()))
    return false
  return underWay.has(id) || store.cluster !== undefined
}

async function lookUp(asked: AskedOperation, service: Service, tried = 0): Promise<Decision> {
  const { request, operation } = asked
  const look = async () => await service.acquirer.lookup(request)
  const inClaim = () => inTime(look(), service.clock, WITHIN_CLAIM_MS)
  const ask = async () => (await named('lookup', inClaim)) ?? unheardOf(operation, tried, service)
  const decision = await decisionOf(ask(), asked, service)
  return asksAgain(operation, decision) ? { status: 'unknown' } : decision
}

/**
 * Whether the acquirer waits for a step whose result was submitted. It may have received that result, and must not get one
 * twice, so the customer is not asked again.
 */
function asksAgain({ outcome: { submitted, methodCompletion } }: StoredOperation, decision: Decision): boolean {
  if (decision.status !== 'processing' || submitted === undefined) return false
  const { step } = decision.awaits
  return step === submitted.step || (step === 'method' && methodCompletion !== undefined)
}

/**
 * What to make of an operation that the acquirer does not know. If several processes share the store, the one that sent it may
 * still be alive and its request on the way, so for 15 minutes the outcome is unknown.
 */
function unheardOf({ statusAt }: StoredOperation, tried: number, { store, clock }: Service): Decision {
  const now = clock.now()
  const isOver = !mayBeOnTheWay(statusAt, now) || (isAhead(statusAt, now) && tried >= TRIED_IN_TIME)
  return store.cluster === undefined || isOver ? NEVER_CARRIED_OUT : { status: 'unknown' }
}

/** The wait after so many look-ups is longer than the 15 minutes, whatever the clock says. */
const TRIED_IN_TIME = TRY_WAITS.findIndex((wait) => wait >= ON_THE_WAY_FOR_MS)

function mayBeOnTheWay(since: number, now: number): boolean {
  return now < since + ON_THE_WAY_FOR_MS
}

function leftToAPerson({ orderId }: StoredOrder, { id, kind, status }: StoredOperation): Error {
  return new Error(
    `The ${kind} ${id} of the order ${orderId} is still ${status} after ${MOST_TRIES} look-ups, and is not looked up again: ask the acquirer what became of it, and record that with the command outcome, or gateway.recordOutcome`,
  )
}

/** More than can ever be under way at once. */
const MOST_SENT = 1_000_000
/** Look-ups at a time: the acquirer also has to answer the customers who are paying now. */
const AT_ONCE = 64
const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 60_000

/** Finds out what the last process left behind. */
export interface Recovery {
  /** Resolves once that is known. Rejects while the store fails, which is then asked again. */
  known(): Promise<void>
  /** Stops asking. Resolves when nothing is running any more. */
  stop(): Promise<void>
}

/**
 * Takes over what the last process left in the store: looks up the operations that it had sent, and runs what is due. Nothing
 * new is sent before these operations are known. If the store fails it is asked again, less and less often.
 */
export function recover(service: Service, agenda: Scheduler): Recovery {
  let cancel = () => {}
  let isStopped = false
  let areReleased = false
  let known = attempt(FIRST_WAIT_MS)

  function attempt(waitMs: number): Promise<void> {
    const attempted = service
      .requireSameSettings()
      .then(release)
      .then(() => takeUpLeft(service))
      .then(agenda.wake)
    // Every request is answered with the failure. If none comes, nobody would learn of it otherwise.
    attempted.catch((error) => {
      service.onError(error)
      if (!isStopped) cancel = service.clock.schedule(waitMs, () => again(waitMs))
    })
    return attempted
  }

  /** Once: later claims are of this process. */
  async function release(): Promise<void> {
    if (!areReleased) await service.store.releaseClaims?.(service.clock.now())
    areReleased = true
  }

  async function again(waitMs: number): Promise<void> {
    known = attempt(Math.min(2 * waitMs, LONGEST_WAIT_MS))
    await known.catch(() => {})
  }

  return {
    known: () => known,
    stop: async () => {
      isStopped = true
      cancel()
      await known.catch(() => {})
    },
  }
}

/**
 * Looks up what processes that are gone had sent, and sends none of it again. If several processes share the store, one that is
 * alive may be waiting for the acquirer right now, so only the operations that the store hands to this process are looked up.
 * Resolves when these are known.
 */
export async function takeUpLeft(service: Service): Promise<void> {
  const { cluster } = service.store
  if (cluster === undefined) lookUpEach(await leftByAll(service), lookUpSent, service)
  else lookUpEach(await leftByGone(cluster, service), lookUpLeft, service)
}

function lookUpEach<Left>(
  left: readonly Left[],
  lookUp: (left: Left, service: Service) => Promise<void>,
  service: Service,
): void {
  const { background } = service
  background.run(() => mapLimit(AT_ONCE, left, (each) => background.runToEnd(() => lookUp(each, service))))
}

/** For a store that is not shared: the process that sent them was its only one. */
async function leftByAll(service: Service): Promise<readonly SentOperation[]> {
  const left: SentOperation[] = []
  for (const orderId of await service.store.sentOrders(Number.MAX_SAFE_INTEGER, MOST_SENT)) {
    left.push(...(await sentOperations(orderId, service)))
  }
  return left
}

/** For a shared store. They count as under way from now on, so that they are not found again. */
async function leftByGone(cluster: Cluster, { underWay }: Service): Promise<readonly AbandonedOperation[]> {
  const left = await cluster.takeAbandonedOperations(MOST_SENT, (operationId) => underWay.has(operationId))
  for (const { operationId } of left) underWay.add(operationId)
  return left
}

/** If the operation cannot be read now, it is found again next time. */
async function lookUpLeft({ orderId, operationId }: AbandonedOperation, service: Service): Promise<void> {
  let found: SentOperation | undefined
  try {
    found = (await sentOperations(orderId, service)).find(({ operation }) => operation.id === operationId)
  } finally {
    if (found === undefined) service.underWay.delete(operationId)
  }
  if (found !== undefined) await lookUpSent(found, service)
}
