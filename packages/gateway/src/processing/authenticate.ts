import type { AuthenticationResponse } from '../acquirer/acquirer.ts'
import type { Service } from '../context.ts'
import { advanceOperation, openingOperation } from '../orders/operations.ts'
import type { MethodCompletion, OperationOutcome, StoredOrder } from '../orders/order.ts'
import { decisionOf } from './decision.ts'
import { askedOperation, conclude, named } from './execute.ts'
import { lookupTask } from './tasks.ts'

/** `order`: as it is now. */
type Authenticated =
  | { readonly status: 'goes-on'; readonly order: StoredOrder }
  | { readonly status: 'not-awaited'; readonly order: StoredOrder }
  | { readonly status: 'no-order' }

/**
 * Takes the result of a 3DS step that an order waits for, from an upload of the merchant or from the customer's browser. An
 * order waits for one result of one step: a second result, or one that it does not wait for, changes nothing. The acquirer is
 * asked once the order is written, and its outcome follows.
 */
export async function authenticate(
  find: () => Promise<StoredOrder | undefined>,
  result: AuthenticationResponse,
  { service, commit }: { readonly service: Service; readonly commit: Service['commit'] },
): Promise<Authenticated> {
  const at = service.clock.now()
  for (;;) {
    const before = await find()
    if (before === undefined) return { status: 'no-order' }
    const { id, status, outcome } = openingOperation(before)
    if (status !== 'processing' || outcome.awaits?.step !== result.step) return { status: 'not-awaited', order: before }
    const { order, operation } = advanceOperation(before, id, { status, at, outcome: recorded(outcome, result, at) })
    // If the process ends before the acquirer has answered, this task looks the operation up.
    const task = lookupTask(order, operation, service.clock.trusted())
    const written = await commit({ order: { order, basedOn: before.version }, tasks: task ? [task] : [] })
    if (!written.ok) continue
    const asked = askedOperation(order, operation, service)
    const ask = () => named('authenticate', () => service.acquirer.authenticate(asked.request, result))
    service.background.run(() => conclude(asked, () => decisionOf(ask(), asked, service), service))
    return { status: 'goes-on', order }
  }
}

/** The order keeps how the method step went. Of the other steps it keeps only that a result was brought. */
function recorded(
  { methodCompletion }: OperationOutcome,
  { step, value }: AuthenticationResponse,
  at: number,
): OperationOutcome {
  return { methodCompletion: step === 'method' ? completionOf(value) : methodCompletion, submitted: { step, at } }
}

function completionOf(value: string): MethodCompletion {
  return value === 'Y' || value === 'U' ? value : 'N'
}
