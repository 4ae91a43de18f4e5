import type { PaymentError } from '@tallystick/core'
import { checkOptions, type Validators, validator } from '@tallystick/core/internal'
import { getOrPost, type Handler, type Inbound, type Outbound, requirePage, taking } from '../callbacks/handler.ts'
import type { Outcome } from '../outcomes/outcome.ts'
import type { PaymentClient } from '../payment-client.ts'
import { type AuthenticationResult, THREE_DS_KINDS, type ThreeDsOptions } from './three-ds.ts'

/** Options of the handler at `returnUrl`. */
export interface ThreeDsReturnOptions extends ThreeDsOptions {
  /** Uploads what came, and polls the status. */
  readonly client: Pick<PaymentClient, 'threeDs'>
  /** The page once there is nothing left to do: the outcome is final, or `undecided` at the deadline. */
  readonly show: (outcome: ReturnedOutcome, inbound: Inbound) => Outbound | Promise<Outbound>
}

/** The outcome of the payment itself, by the signed status, with both its ids. */
export type ReturnedOutcome = Outcome & {
  readonly orderId: string
  /** Why the result of the step that the customer came back from could not be uploaded. Absent: it was, or there was none. */
  readonly notUploaded?: PaymentError
}

/**
 * Handles what the browser brings to `returnUrl` in the course of 3-D Secure: uploads it, and answers with the page of
 * the next step, until `show` makes the last one.
 *
 * 400 for what is no return, 403 for one with a wrong control, 405 for other methods than GET and POST. Throws a
 * `HandlerError` of status 503 if the gateway cannot be asked; passes on errors of `show`.
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
    if (next.step !== 'none') return next.page
    return requirePage('A 3-D Secure return', await show({ ...next.outcome, orderId, ...refusalOf(taken) }, inbound))
  })
}

function refusalOf(
  taken: Extract<AuthenticationResult, { taken: 'step' | 'return' }>,
): Pick<ReturnedOutcome, 'notUploaded'> {
  return taken.taken === 'step' && taken.upload.outcome !== 'accepted' ? { notUploaded: taken.upload.error } : {}
}

/** Checked now, not when the first customer comes back. */
const KINDS: Validators<ThreeDsReturnOptions> = {
  ...THREE_DS_KINDS,
  client: validator.required({
    wanted: 'a client, with threeDs',
    isRight: (value) => validator.object.isRight((Object(value) as Partial<PaymentClient>).threeDs),
  }),
  show: validator.required(validator.function),
}
