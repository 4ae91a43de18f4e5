import type { Decision, Instruction } from '../acquirer/acquirer.ts'
import { operationOf } from '../orders/derive.ts'
import type { StoredOperation, StoredOrder } from '../orders/order.ts'
import { followUp } from './follow-up.ts'
import { persistently } from './persistently.ts'
import type { Service } from './service.ts'

/**
 * Carries an operation out that was written as sent, and writes what became of it. A process that the others do not count
 * on any more sends nothing: one of them looks the operation up, and it must not be carried out after that.
 */
export async function perform(order: StoredOrder, operation: StoredOperation, service: Service): Promise<void> {
  if (service.store.sharing?.isAlive() === false) {
    throw new Error(`Operation ${operation.id} was not sent: this process was cut off from the store for too long`)
  }
  const decision = await decisionOf(() => service.acquirer.execute(instructionFor(order, operation, service)), service)
  await persistently(() => settle(order, operation.id, decision, service), service)
}

/** Nobody knows what a call that failed has done at the acquirer. */
export async function decisionOf(
  ask: () => Promise<Decision>,
  { onError }: Pick<Service, 'onError'>,
): Promise<Decision> {
  try {
    return await ask()
  } catch (error) {
    onError(error)
    return { status: 'unknown' }
  }
}

/** What the acquirer is told of an operation. */
export function instructionFor(
  { orderId, terms, details }: StoredOrder,
  { id, kind, amount, prepared = '' }: StoredOperation,
  { profile }: Pick<Service, 'profile'>,
): Instruction {
  const { pages } = details
  const browser = pages === undefined ? undefined : { baseUrl: profile.baseUrl, pageToken: pages.token }
  return { reference: id, kind, prepared, orderId, amount, currency: terms.currency, browser }
}

/**
 * Writes a decision about an operation, on the order as it is by then: other operations may have gone on meanwhile. An
 * operation that has its outcome already keeps it.
 */
export async function settle(
  order: StoredOrder,
  operationId: string,
  decision: Decision,
  service: Service,
): Promise<StoredOrder> {
  for (let current = order; ; current = await reread(current, service)) {
    if (isDecided(operationOf(current, operationId), decision)) return current
    const decided = followUp({ order: current, operationId, decision, at: service.clock.now() }, service)
    const { ok } = await service.commit(decided.change)
    if (ok) return decided.order
  }
}

/**
 * Whether the decision brings nothing new: the operation is final, the acquirer still does not know, or it waits for the
 * customer already, whose step a look-up that was under way does not take back.
 */
function isDecided({ status, outcome }: StoredOperation, decision: Decision): boolean {
  switch (status) {
    case 'created':
    case 'sent':
      return false
    case 'unknown':
      return decision.status === 'unknown' || decision.status === 'processing'
    case 'processing':
      return decision.status === 'processing' && outcome.awaits !== undefined
    default:
      return true
  }
}

async function reread({ orderId }: StoredOrder, { store }: Service): Promise<StoredOrder> {
  const order = await store.orderById(orderId)
  if (order === undefined) throw new Error(`The store has lost the order ${orderId}`)
  return order
}
