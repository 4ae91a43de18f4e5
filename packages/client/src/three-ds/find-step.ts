import type { Look, Outcome, WaitedOrder } from '../outcomes/outcome.ts'
import type { WaitOptions } from '../result.ts'
import { type AwaitedStep, awaitedStep } from './step.ts'

/** What polling the order gave: a step that the customer has to do, with the gateway's order id; or how it ended. */
export type Found =
  | { readonly step: AwaitedStep; readonly orderId: string }
  | { readonly step: undefined; readonly outcome: Outcome }

/**
 * Polls an order until it waits for a step or has its outcome. `isDone` says which steps are done already: a gateway may show
 * a step for a moment after its result was uploaded.
 */
export async function findStep(
  order: WaitedOrder,
  watch: (order: WaitedOrder, options: WaitOptions) => AsyncGenerator<Look, Outcome, undefined>,
  options: WaitOptions,
  isDone: (step: AwaitedStep) => boolean,
): Promise<Found> {
  const looks = watch(order, options)
  for (;;) {
    const look = await looks.next()
    if (look.done) return { step: undefined, outcome: look.value }
    const { reply } = look.value
    const step = reply === undefined ? undefined : awaitedStep(reply)
    if (step === undefined || reply?.orderId === undefined || isDone(step)) continue
    await looks.return({ outcome: 'undecided', clientOrderId: order.clientOrderId, lastLook: look.value })
    return { step, orderId: reply.orderId }
  }
}
