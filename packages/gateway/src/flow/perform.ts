import { exponentOf, type FinalStatus, isFinalStatus } from '@tallystick/core'
import type { Decision, Instruction } from '../acquirer/acquirer.ts'
import { operationOf } from '../orders/derive.ts'
import type { BroughtResult, StoredOperation, StoredOrder } from '../orders/order.ts'
import { openingOperation } from '../orders/shown-order.ts'
import { followUp } from './follow-up.ts'
import { isDecision } from './is-decision.ts'
import { persistently } from './persistently.ts'
import type { Service } from './service.ts'

/** Longer than any request is under way to the acquirer, counted from the last that was written of the operation. */
export const ON_THE_WAY_FOR_MS = 900_000

/**
 * Carries an operation out that was written as sent, and writes what became of it. A process that the others do not count
 * on any more sends nothing: one of them looks the operation up, and it must not be carried out after that. What fails is told.
 */
export async function perform(order: StoredOrder, operation: StoredOperation, service: Service): Promise<void> {
  const { id, serialNumber } = operation
  if (service.store.sharing?.isAlive() === false) {
    const cutOff = `Operation ${id} was not sent: this process was cut off from the store for too long`
    return service.onError(new Error(cutOff), serialNumber)
  }
  const execute = () => service.acquirer.execute(instructionFor(order, operation, service))
  await conclude(order, id, () => decisionOf(execute, { order, operation }, service), service)
}

/**
 * Finds out and writes what becomes of an operation that was sent, or goes on after a 3DS step. Until that is written it
 * is under way here. What fails is told.
 */
export async function conclude(
  order: StoredOrder,
  operationId: string,
  decide: () => Promise<Decision>,
  service: Service,
): Promise<void> {
  const { serialNumber } = operationOf(order, operationId)
  const write = async (decision: Decision) => {
    await settle(order, operationId, decision, service)
    service.underWay.delete(operationId)
  }
  await service.background.runToEnd(async () => {
    service.underWay.add(operationId)
    const stopWaiting = lookUpLater(order, operationId, service)
    const decision = await decide()
    stopWaiting()
    await persistently(() => write(decision), service, serialNumber)
  }, serialNumber)
}

/**
 * Where the acquirer never answers what it was sent, nobody knows what became of that: it is looked up. An answer that comes
 * after all still counts. The result of a 3DS step has its look-up already.
 */
function lookUpLater(order: StoredOrder, operationId: string, service: Service): () => void {
  const { kind, status, serialNumber } = operationOf(order, operationId)
  if (status !== 'sent') return () => {}
  return service.clock.schedule(ON_THE_WAY_FOR_MS, () =>
    service.background.runToEnd(async () => {
      service.onError(
        new Error(`The acquirer has not answered for 15 minutes what became of the ${kind} ${operationId}`),
        serialNumber,
      )
      await persistently(() => settle(order, operationId, { status: 'unknown' }, service), service, serialNumber)
    }, serialNumber),
  )
}

/** Nobody knows what a call that failed has done at the acquirer, nor one whose answer is no decision about the operation. */
export async function decisionOf(
  ask: () => Promise<Decision>,
  { order, operation }: { readonly order: StoredOrder; readonly operation: StoredOperation },
  { onError }: Pick<Service, 'onError'>,
): Promise<Decision> {
  try {
    const decision: Partial<Decision> | undefined = await ask()
    if (!isDecision(decision)) {
      throw new TypeError(`The acquirer has answered with no decision: its status is ${wordsOf(decision?.status)}`)
    }
    if (decision.status === 'processing' && !hasCustomer(order, operation)) throw new TypeError(noCustomer(operation))
    return decision
  } catch (error) {
    onError(error, operation.serialNumber)
    return { status: 'unknown' }
  }
}

function wordsOf(status: Decision['status'] | undefined): string {
  return status === 'processing' ? `${status}, and what it awaits is no step of 3DS` : String(status)
}

/** Whether somebody can be asked to authenticate: neither a page nor a status shows a step of another order or operation. */
function hasCustomer(order: StoredOrder, { id }: StoredOperation): boolean {
  return order.details.pages !== undefined && id === openingOperation(order).id
}

function noCustomer({ id, kind }: StoredOperation): string {
  const awaited = `The acquirer awaits a step of 3DS for the ${kind} ${id}, which nobody can take`
  return `${awaited}: only what opens an order can await one, and where prepare has said that the customer authenticates`
}

/** What the acquirer is told of an operation. */
export function instructionFor(
  { orderId, terms, details }: StoredOrder,
  { id, kind, amount, prepared = '', outcome: { comment } }: StoredOperation,
  { profile }: Pick<Service, 'profile'>,
): Instruction {
  const { pages } = details
  const browser = pages === undefined ? undefined : { baseUrl: profile.baseUrl, pageToken: pages.token }
  const { currency } = terms
  const decimals = exponentOf(currency, profile.exponents)
  return { reference: id, kind, prepared, orderId, amount, currency, decimals, comment, browser }
}

/**
 * Writes a decision about an operation on the order as it is by now: since it was asked for, with the order as given, this
 * operation and others may have gone on. One that has its outcome already keeps it; where the acquirer says the
 * opposite, a person has to know.
 */
export async function settle(
  order: StoredOrder,
  operationId: string,
  decision: Decision,
  service: Service,
): Promise<StoredOrder> {
  const asked = operationOf(order, operationId)
  for (let current = order; ; current = await reread(current, service)) {
    const operation = operationOf(current, operationId)
    if (isDecided(operation, decision, asked)) {
      const contradicted = contradiction(current, operation, decision)
      if (contradicted !== undefined) service.onError(contradicted, operation.serialNumber)
      return current
    }
    const decided = followUp({ order: current, operationId, decision, at: service.clock.now() }, service)
    const { ok } = await service.commit(decided.change)
    if (ok) return decided.order
  }
}

/**
 * Whether the decision brings nothing new: the operation is final, the acquirer still does not know, or it waits for the
 * customer already, whose step what was asked before does not take back; nor does that ask again for a step whose result
 * was brought meanwhile.
 */
function isDecided({ status, outcome }: StoredOperation, decision: Decision, asked: StoredOperation): boolean {
  const isUndecided = decision.status === 'unknown' || decision.status === 'processing'
  switch (status) {
    case 'created':
    case 'sent':
      return false
    case 'unknown':
      return isUndecided
    case 'processing':
      return isUndecided && (outcome.awaits !== undefined || !isSame(outcome.brought, asked.outcome.brought))
    default:
      return true
  }
}

function isSame(one: BroughtResult | undefined, other: BroughtResult | undefined): boolean {
  return one?.step === other?.step && one?.at === other?.at
}

/** What the acquirer has done, by its own word. */
const DONE: Readonly<Record<FinalStatus, string>> = {
  approved: 'approved',
  declined: 'declined',
  filtered: 'filtered',
  error: 'not carried out',
}

/** Money has moved at the acquirer, and the order says that it has not, or the other way about. */
function contradiction(
  { orderId }: StoredOrder,
  { id, kind, status }: StoredOperation,
  decision: Decision,
): Error | undefined {
  if (!isFinalStatus(status) || !isFinalStatus(decision.status)) return undefined
  if ((status === 'approved') === (decision.status === 'approved')) return undefined
  const said = `The acquirer has ${DONE[decision.status]} the ${kind} ${id} of the order ${orderId}`
  return new Error(`${said}, which has ended as ${status}`)
}

async function reread({ orderId }: StoredOrder, { store }: Service): Promise<StoredOrder> {
  const order = await store.orderById(orderId)
  if (order === undefined) throw new Error(`The store has lost the order ${orderId}`)
  return order
}
