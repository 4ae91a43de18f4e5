import type { AuthenticationResult } from '../acquirer/acquirer.ts'
import { advanceOperation } from '../orders/derive.ts'
import { openingOperation } from '../orders/operations.ts'
import type { MethodCompletion, OperationOutcome, StoredOrder } from '../orders/order.ts'
import { decisionOf } from './decision-of.ts'
import { instructionFor } from './instruction-for.ts'
import { lookupTask } from './lookup-task.ts'
import { conclude } from './perform.ts'
import type { Service } from './service.ts'

/** `order`: as it is, or as it became. */
export type Authenticated =
  | { readonly status: 'goes-on'; readonly order: StoredOrder }
  | { readonly status: 'not-awaited'; readonly order: StoredOrder }
  | { readonly status: 'no-order' }

/**
 * Goes on with an order that waits for the result of a 3DS step, whoever brought it: the merchant by an upload, or the
 * customer's browser. An order waits for one result of one step: what comes twice, or is not awaited, changes nothing.
 * The acquirer is asked once the order is written; its outcome follows.
 */
export async function authenticate(
  find: () => Promise<StoredOrder | undefined>,
  result: AuthenticationResult,
  service: Service,
): Promise<Authenticated> {
  const at = service.clock.now()
  for (;;) {
    const before = await find()
    if (before === undefined) return { status: 'no-order' }
    const { id, status, outcome } = openingOperation(before)
    if (status !== 'processing' || outcome.awaits?.step !== result.step) return { status: 'not-awaited', order: before }
    const { order, operation } = advanceOperation(before, id, { status, at, outcome: recorded(outcome, result, at) })
    // Should the process end before the acquirer has answered, the order is looked up.
    const task = lookupTask(order, operation, at)
    const written = await service.commit({ order: { order, basedOn: before.version }, tasks: task ? [task] : [] })
    if (!written.ok) continue
    service.background.run(async () => {
      const decide = () => service.acquirer.authenticate(instructionFor(order, operation, service), result)
      await conclude(order, id, () => decisionOf(decide, { order, operation }, service), service)
    })
    return { status: 'goes-on', order }
  }
}

/** How the method step went stays with the order; of the others it is enough that a result was brought. */
function recorded(
  { methodCompletion }: OperationOutcome,
  { step, value }: AuthenticationResult,
  at: number,
): OperationOutcome {
  return { methodCompletion: step === 'method' ? completionOf(value) : methodCompletion, brought: { step, at } }
}

function completionOf(value: string): MethodCompletion {
  return value === 'Y' || value === 'U' ? value : 'N'
}
