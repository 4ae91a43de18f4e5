import type { AuthenticationResult } from '../acquirer/acquirer.ts'
import { lookupTask } from '../flow/follow-up.ts'
import { decisionOf, instructionFor, settle } from '../flow/perform.ts'
import { asyncReply } from '../http/answer.ts'
import { advanceOperation } from '../orders/derive.ts'
import { openingOperation } from '../orders/shown-order.ts'
import { noSuchOrder } from './modifications.ts'
import type { ProcessContext, Processor } from './processor.ts'
import { refusedByRule } from './refused-by-rule.ts'

/** Uploads of what a 3DS step gave: the acquirer goes on with it, and the outcome follows by status (gaps part 8). */

export const processUploadCresResult: Processor<'uploadCresResult'> = (request, context) =>
  goOn(request, { step: 'challenge', value: request.cRes }, context)

export const processUploadParesResult: Processor<'uploadParesResult'> = (request, context) =>
  goOn(request, { step: 'pareq', value: request.paRes }, context)

export const processUploadMethodUrlResult: Processor<'uploadMethodUrlResult'> = (request, context) =>
  goOn(request, { step: 'method', value: request.methodCompletion }, context)

interface Upload {
  readonly clientOrderId: string
  readonly orderId: string
}

/** An order waits for one result of one step: what comes twice, or is not awaited, is refused. */
async function goOn({ clientOrderId, orderId }: Upload, result: AuthenticationResult, context: ProcessContext) {
  const { store, merchant, acquirer, serialNumber, at } = context
  for (;;) {
    const before = await store.findOrder({ login: merchant.login, clientOrderId, orderId })
    if (before === undefined) return noSuchOrder()
    const { id, status, outcome } = openingOperation(before)
    if (status !== 'processing' || outcome.awaits !== result.step) {
      return refusedByRule({ rule: 'awaited-step', reason: 'the order does not wait for the result of this 3DS step' })
    }
    const { order, operation } = advanceOperation(before, id, { status, at, outcome: {} })
    // Should the process end before the acquirer has answered, the order is looked up.
    const task = lookupTask(order, operation, at)
    const written = await context.commit({ order: { order, basedOn: before.version }, tasks: task ? [task] : [] })
    if (!written.ok) continue
    context.background.run(async () => {
      const decide = () => acquirer.authenticate(instructionFor(order, operation), result)
      await settle(order, id, await decisionOf(decide, context), context)
    })
    return asyncReply({ serialNumber, clientOrderId, orderId: order.orderId, endpointId: order.endpointId })
  }
}
