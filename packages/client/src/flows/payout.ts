import type { ReplyValues, RequestInput } from '@tallystick/core'
import { checkOptions, type Validators, validator } from '@tallystick/core/internal'
import { WAIT_KINDS } from '../options.ts'
import { namesOf, type Outcome } from '../outcomes/outcome.ts'
import { pollUntil } from '../outcomes/poll.ts'
import type { PaymentClient } from '../payment-client.ts'
import type { NotSent, OperationResult, Rejected, WaitOptions } from '../result.ts'

/** What a payout was checked to be. */
export interface CheckedPayout {
  readonly clientOrderId: string
  readonly orderId: string
  /** What the gateway says about the receiver and the money; amounts are decimal texts in major units. */
  readonly reply: ReplyValues<'status'>
}

/** How long to wait for the check, and who confirms it. */
export interface PayoutInStepsOptions extends WaitOptions {
  /** Whether to pay the checked payout: nothing is paid unless it returns `true`. */
  readonly confirm: (checked: CheckedPayout) => boolean | Promise<boolean>
}

/** How far a payout in two steps came. This call has sent a payment only if `stage` is `pay`. */
export type PayoutInStepsResult =
  /** The check was refused, or not sent. */
  | { readonly stage: 'check'; readonly result: Rejected | NotSent }
  /**
   * The order has another status than checked, or is undecided; you may call again under the same id. An earlier call may have
   * paid under that id: with `approved` the money has left. Find out before you pay under another id.
   */
  | { readonly stage: 'checking'; readonly outcome: Outcome }
  /** It was checked, and not confirmed. */
  | { readonly stage: 'checked'; readonly checked: CheckedPayout }
  /** It was sent. Its outcome follows by status and callback. */
  | { readonly stage: 'pay'; readonly checked: CheckedPayout; readonly result: OperationResult<'payoutPay'> }

const KINDS: Validators<PayoutInStepsOptions> = { confirm: validator.required(validator.function), ...WAIT_KINDS }

/**
 * A payout in two steps as one call (interface part 3, rule 7): checks, waits for the check, asks `confirm`, pays.
 *
 * If the reply of the check is lost, its status is polled by the client order id. A lost one of the payment is `unknown`.
 *
 * @throws TypeError for a wrong option, before anything is sent; whatever `watchOutcome` throws
 */
export async function payoutInSteps(
  client: Pick<PaymentClient, 'payoutCheck' | 'payoutPay' | 'watchOutcome'>,
  input: RequestInput<'payoutCheck'>,
  options: PayoutInStepsOptions,
): Promise<PayoutInStepsResult> {
  checkOptions('payoutInSteps', options, KINDS)
  const { confirm, ...wait } = options
  const { deadlineMs: _, ...call } = wait
  const { clientOrderId: named } = namesOf(input)
  const result = await client.payoutCheck(input, call)
  if (result.outcome === 'rejected' || result.outcome === 'notSent') return { stage: 'check', result }
  const checked = await pollUntil(client.watchOutcome({ clientOrderId: named }, wait), checkedPayout)
  if ('outcome' in checked) return { stage: 'checking', outcome: checked.outcome }
  if ((await confirm(checked)) !== true) return { stage: 'checked', checked }
  const { clientOrderId, orderId } = checked
  return { stage: 'pay', checked, result: await client.payoutPay({ clientOrderId, orderId }, call) }
}

/** The order that is checked: `processing`, at the stage `payout_checked` (gaps part 13). */
function checkedPayout(reply: CheckedPayout['reply']): CheckedPayout | undefined {
  const { orderStage, clientOrderId, orderId } = reply
  if (orderStage?.toLowerCase() !== 'payout_checked') return undefined
  return clientOrderId === undefined || orderId === undefined ? undefined : { clientOrderId, orderId, reply }
}
