import type { Decision } from '../acquirer/acquirer.ts'
import type { Service } from '../context.ts'
import type { StoredOperation, StoredOrder } from '../orders/order.ts'
import { persistently } from '../runtime/retry.ts'
import { decisionOf } from './decision-of.ts'
import { instructionFor } from './operation-request.ts'
import { settle } from './settle.ts'
import { named } from './tokenize.ts'

/** No request is on its way to the acquirer for longer than this, counted from the last write of the operation. */
export const ON_THE_WAY_FOR_MS = 900_000

/**
 * Carries out an operation that was written as sent, and writes its outcome. A process that the others consider dead sends
 * nothing: one of them looks the operation up, and it must not be carried out after that. Failures are reported.
 */
export async function perform(order: StoredOrder, operation: StoredOperation, service: Service): Promise<void> {
  const { id, serialNumber } = operation
  if (service.store.sharing?.isAlive() === false) {
    const cutOff = `Operation ${id} was not sent: this process was cut off from the store for too long`
    return service.onError(new Error(cutOff), serialNumber)
  }
  const execute = () => named('execute', () => service.acquirer.execute(instructionFor(order, operation, service)))
  await conclude(order, operation, () => decisionOf(execute, { order, operation }, service), service)
}

/**
 * Gets and writes the outcome of an operation that was sent, or that continues after a 3DS step. Until it is written, the
 * operation is in `underWay`. Failures are reported.
 */
export async function conclude(
  order: StoredOrder,
  operation: StoredOperation,
  decide: () => Promise<Decision>,
  service: Service,
): Promise<void> {
  const { id, serialNumber } = operation
  const write = async (decision: Decision) => {
    await settle(order, operation, decision, service)
    service.underWay.delete(id)
  }
  await service.background.runToEnd(async () => {
    service.underWay.add(id)
    const stopWaiting = lookUpLater(order, operation, service)
    const decision = await decide()
    stopWaiting()
    await persistently(() => write(decision), service, serialNumber)
  }, serialNumber)
}

/**
 * If the acquirer does not answer an operation in time, its outcome becomes unknown, so that it is looked up. A later answer
 * still counts. After a 3DS step the look-up is already written.
 */
function lookUpLater(order: StoredOrder, operation: StoredOperation, service: Service): () => void {
  const { id, kind, status, serialNumber } = operation
  if (status !== 'sent') return () => {}
  return service.clock.schedule(ON_THE_WAY_FOR_MS, () =>
    service.background.runToEnd(async () => {
      service.onError(
        new Error(`The acquirer has not answered for 15 minutes what became of the ${kind} ${id}`),
        serialNumber,
      )
      await persistently(() => settle(order, operation, { status: 'unknown' }, service), service, serialNumber)
    }, serialNumber),
  )
}
