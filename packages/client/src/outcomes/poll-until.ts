import type { ReplyValues } from '@tallystick/core'
import type { Look, Outcome } from './outcome.ts'

/**
 * Polls an order until `find` finds something in its status, and gives that. If nothing was found by the end, gives the outcome.
 */
export async function seek<Found extends object>(
  looks: AsyncGenerator<Look, Outcome, undefined>,
  find: (reply: ReplyValues<'status'>) => Found | undefined,
): Promise<Found | { readonly outcome: Outcome }> {
  for (;;) {
    const { done, value } = await looks.next()
    if (done) return { outcome: value }
    const { reply } = value
    const found = reply && find(reply)
    if (found === undefined) continue
    await looks.return({ outcome: 'undecided', clientOrderId: reply?.clientOrderId ?? '', lastLook: value })
    return found
  }
}
