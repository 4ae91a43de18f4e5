import { type FinalStatus, isFinalStatus } from '@tallystick/core'
import type { Decision } from '../acquirer/acquirer.ts'
import { operationOf } from '../orders/operations.ts'
import type { BroughtResult, StoredOperation, StoredOrder } from '../orders/order.ts'
import { followUp } from './follow-up.ts'
import type { Service } from './service.ts'

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
