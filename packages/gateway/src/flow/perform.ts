import type { Decision } from '../acquirer/acquirer.ts'
import { operationOf } from '../orders/operations.ts'
import type { StoredOperation, StoredOrder } from '../orders/order.ts'
import { decisionOf } from './decision-of.ts'
import { instructionFor } from './instruction-for.ts'
import { persistently } from './persistently.ts'
import type { Service } from './service.ts'
import { settle } from './settle.ts'

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
