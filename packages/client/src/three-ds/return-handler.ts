import { checkOptions, type Kinds, kind } from '@tallystick/core'
import { getOrPost } from '../callbacks/get-or-post.ts'
import type { Handler, Inbound, Outbound } from '../callbacks/handler.ts'
import { taking } from '../callbacks/handler-error.ts'
import type { PaymentClient } from '../client.ts'
import type { Outcome } from '../outcomes/outcome.ts'
import { THREE_DS_KINDS } from './check-options.ts'
import type { ThreeDsOptions } from './three-ds.ts'

/** Options of the handler at `returnUrl`. */
export interface ThreeDsReturnOptions extends ThreeDsOptions {
  /** Uploads what came, and asks the status. */
  readonly client: Pick<PaymentClient, 'threeDs'>
  /** The page once there is nothing left to do: the outcome is final, or `undecided` at the deadline. */
  readonly show: (outcome: ReturnedOutcome, inbound: Inbound) => Outbound | Promise<Outbound>
}

/** How the payment itself stands, as the signed status tells it, with both its ids. */
export type ReturnedOutcome = Outcome & { readonly orderId: string }

/**
 * Handles what the browser brings to `returnUrl` in the course of 3-D Secure: takes it, uploads it, and answers
 * with the page of the next step, until `show` has the last word.
 *
 * 400 for what is no return, 403 for one with a wrong control, 405 for other methods than GET and POST. It throws a
 * `HandlerError` of status 503 where the gateway cannot be asked; errors of `show` are passed on.
 *
 * @throws TypeError for a wrong option, such as a return address that no browser can come back to
 */
export function createThreeDsReturnHandler(given: ThreeDsReturnOptions): Handler {
  checkOptions('A 3-D Secure return', given, KINDS)
  const { client, show, ...options } = given
  return getOrPost(async (inbound) => {
    const taken = await taking(() =>
      client.threeDs.take(inbound, { ...options, headers: inbound.headers, customerIp: inbound.customerIp }),
    )
    if (taken.taken === 'frame' || taken.taken === 'nothing') return taken.page
    const { next, orderId } = taken
    return next.step === 'none' ? await show({ ...next.outcome, orderId }, inbound) : next.page
  })
}

/** Now, and not at the first customer who comes back. */
const KINDS: Kinds<ThreeDsReturnOptions> = {
  ...THREE_DS_KINDS,
  client: kind.required({
    wanted: 'a client, with threeDs',
    isRight: (value) => kind.object.isRight((Object(value) as Partial<PaymentClient>).threeDs),
  }),
  show: kind.required(kind.function),
}
