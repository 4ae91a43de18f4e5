import { type FinalStatus, isFinalStatus } from '@tallystick/core'
import type { Decision } from '../acquirer/acquirer.ts'
import type { Service } from '../context.ts'
import { postingsOf } from '../ledger/ledger.ts'
import { advanceOperation, openingOperation, operationOf } from '../orders/operations.ts'
import type { StoredOperation, StoredOrder, SubmittedResult } from '../orders/order.ts'
import type { Delivery } from '../store/delivery.ts'
import type { Change } from '../store/store.ts'
import { storedOutcome } from './decision.ts'
import { deliveriesFor, isReported } from './deliveries.ts'
import { abandonTask, expiryTask, lookupId, lookupTask } from './tasks.ts'

/**
 * Writes a decision about an operation to the order as it is now: since the acquirer was asked, when both were as given,
 * this operation and others may have moved on. An operation with a final outcome keeps it. If the acquirer then says the
 * opposite, it is reported: an operator has to know.
 *
 * @param says on whose word, for that report
 */
export async function settle(
  order: StoredOrder,
  asked: StoredOperation,
  decision: Decision,
  service: Service,
  says = 'The acquirer',
): Promise<StoredOrder> {
  for (let current = order; ; current = await storedOrder(current.orderId, service)) {
    const operation = operationOf(current, asked.id)
    if (isDecided(operation, decision, asked)) {
      const contradicted = contradiction(current, operation, decision, says)
      if (contradicted !== undefined) service.onError(contradicted, operation.serialNumber)
      return current
    }
    const decided = applyOutcome({ order: current, operationId: asked.id, decision, at: service.clock.now() }, service)
    const { ok } = await service.commit(decided.change)
    if (ok) {
      if (decision.status === 'approved') await forgetTry(decided.order, asked, service)
      return decided.order
    }
  }
}

/** An approved card was not tried in vain. If the store fails now, it counts as if it was. */
async function forgetTry(order: StoredOrder, { id }: StoredOperation, { store, tries }: Service): Promise<void> {
  const { card } = order.details
  if (!tries.isLimited || card === undefined || openingOperation(order).id !== id) return
  const sealed = await store.card(card.cardId).catch(() => undefined)
  if (sealed !== undefined) tries.approved(order.login, sealed.fingerprint)
}

/**
 * Whether the decision changes nothing: because the operation is final, or because the acquirer still does not know. An
 * undecided answer also neither withdraws a step that the customer is already asked for, nor asks again for a step whose result
 * was brought since the acquirer was asked.
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
      return isUndecided && (outcome.awaits !== undefined || !isSame(outcome.submitted, asked.outcome.submitted))
    default:
      return true
  }
}

function isSame(one: SubmittedResult | undefined, other: SubmittedResult | undefined): boolean {
  return one?.step === other?.step && one?.at === other?.at
}

/** What the acquirer says that it did. */
const DONE: Readonly<Record<FinalStatus, string>> = {
  approved: 'approved',
  declined: 'declined',
  filtered: 'filtered',
  error: 'not carried out',
}

/** Money moved at the acquirer although the order says that it did not, or the other way round. */
function contradiction(
  { orderId }: StoredOrder,
  { id, kind, status }: StoredOperation,
  decision: Decision,
  says: string,
): Error | undefined {
  if (!isFinalStatus(status) || !isFinalStatus(decision.status)) return undefined
  if ((status === 'approved') === (decision.status === 'approved')) return undefined
  const said = `${says} has ${DONE[decision.status]} the ${kind} ${id} of the order ${orderId}`
  return new Error(`${said}, which has ended as ${status}`)
}

/** @throws Error if it is gone */
export async function storedOrder(orderId: string, { store }: Pick<Service, 'store'>): Promise<StoredOrder> {
  const order = await store.orderById(orderId)
  if (order === undefined) throw new Error(`Order ${orderId} not found in the store`)
  return order
}

/** A change of an order that is decided but not yet written, with the order as it is afterwards. */
export interface DecidedChange {
  readonly order: StoredOrder
  readonly change: Change
}

interface FollowUp {
  readonly order: StoredOrder
  readonly operationId: string
  readonly decision: Decision
  readonly at: number
}

/**
 * All that follows from the acquirer's decision about an operation: its status, the money that moved, the callbacks, and the
 * tasks for later. Pure: the caller writes it.
 */
export function applyOutcome({ order: before, operationId, decision, at }: FollowUp, service: Service): DecidedChange {
  const { status: was, outcome } = operationOf(before, operationId)
  const { comment, methodCompletion } = outcome
  const step = { status: decision.status, at, outcome: { comment, methodCompletion, ...storedOutcome(decision) } }
  const { order, operation } = advanceOperation(before, operationId, step)
  const lookup = lookupTask(order, operation, service.clock.trusted())
  const tasks = [lookup, expiryTask(order, operation), abandonTask(order, service.merchants)]
  return {
    order,
    change: {
      order: { order, basedOn: before.version },
      decided: [operationId],
      postings: movements(order, operation),
      deliveries: notices(order, operation, service),
      // After `unknown` another process may be sending that callback, and would take a claim of the same instant for its own.
      claimsDeliveries: was !== 'unknown',
      tasks: tasks.filter((task) => task !== undefined),
      doneTasks: lookup === undefined && was !== 'sent' ? [lookupId(operationId)] : [],
    },
  }
}

function movements(order: StoredOrder, { id, kind, amount, status, statusAt }: StoredOperation) {
  if (status !== 'approved') return []
  const { orderId, terms, details } = order
  const fromDeposit = kind === 'transfer' && details.card === undefined
  return postingsOf({ orderId, operationId: id, kind, amount, currency: terms.currency, at: statusAt, fromDeposit })
}

function notices(order: StoredOrder, operation: StoredOperation, service: Service): readonly Delivery[] {
  return isReported(operation) ? deliveriesFor({ order, operation, at: operation.statusAt }, service) : []
}
