import type { Decision } from '../acquirer/acquirer.ts'
import type { Service } from '../context.ts'
import { postingsOf } from '../ledger/postings.ts'
import { advanceOperation } from '../orders/derive.ts'
import { operationOf } from '../orders/operations.ts'
import type { StoredOperation, StoredOrder } from '../orders/order.ts'
import type { Delivery } from '../store/delivery.ts'
import type { Change } from '../store/store.ts'
import { abandonTask } from './customer-deadline.ts'
import { deliveriesFor, isToldOf } from './deliveries-for.ts'
import { expiryTask } from './expiry-task.ts'
import { lookupId, lookupTask } from './status-inquiry-task.ts'
import { storedOutcome } from './stored-outcome.ts'

/** A change of an order that is decided but not yet written, with the order as it is afterwards. */
export interface DecidedChange {
  readonly order: StoredOrder
  readonly change: Change
}

export interface FollowUp {
  readonly order: StoredOrder
  readonly operationId: string
  readonly decision: Decision
  readonly at: number
}

/**
 * All that follows from the acquirer's decision about an operation: its status, the money that moved, the callbacks, and the
 * tasks for later. Pure: the caller writes it.
 */
export function followUp({ order: before, operationId, decision, at }: FollowUp, service: Service): DecidedChange {
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
  return isToldOf(operation) ? deliveriesFor({ order, operation, at: operation.statusAt }, service) : []
}
