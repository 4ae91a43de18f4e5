import {
  type Callback,
  type FinalStatus,
  isFinalStatus,
  isPaymentError,
  MalformedFormError,
  type PaymentError,
  type ReplyValues,
  readCallback,
} from '@tallystick/core'
import {
  checkOptions,
  type OutcomeShown,
  outcomeShown,
  type Processed,
  type Validators,
  validator,
} from '@tallystick/core/internal'
import { answerOrError } from '../call/errors.ts'
import type { PaymentClient } from '../payment-client.ts'
import type { CallbackInbox } from '../ports/callback-inbox.ts'
import { answer, getOrPost, type Handler, type Outbound, taking } from './handler.ts'
import { readInboundForm } from './inbound.ts'
import { repeatedCallbacks } from './repeated-callbacks.ts'

/**
 * The final outcome of a payment by the gateway's status; or, with a `change`, what was done to the order later.
 *
 * The status shows only the last operation of an order: the first report may be of a change, and a change that another has
 * overtaken is not reported. A journal reports each one that it has sent.
 */
export interface PaymentOutcome extends Processed {
  /** The merchant's own id. */
  readonly clientOrderId: string
  /** The gateway's id. */
  readonly orderId: string
  /**
   * Of the payment itself: `approved` is paid; `declined`, `filtered` and `error` are not, and never will be. With a `change`
   * it is `approved`, also when the change was declined: only what was approved is changed.
   */
  readonly status: FinalStatus
  /**
   * What was done to the order after it was approved: a capture, a cancel, a reversal, a chargeback. Also present if it was
   * declined, since a return has no other outcome. Absent: the payment's own outcome; or the gateway's status names no
   * transaction type (or one of its own), and `status` is that of the last operation, whichever it was.
   */
  readonly change?: NonNullable<OutcomeShown['change']>
  /**
   * The whole status, of the change if there is one. Compare `amount`, a decimal text in major units (`'10.42'`), and
   * `currency` before you ship goods. After a change `amount` is what is still held or kept: two captures of one preauth look
   * alike, two equal returns do not.
   */
  readonly reply: ReplyValues<'status'>
}

/** What was done to an order after its outcome: a capture, a cancel, a reversal, a chargeback. */
export interface PaymentNotice extends PaymentOutcome {
  readonly change: NonNullable<OutcomeShown['change']>
}

/** Stores callbacks and acknowledges them at once. The reader of the inbox asks for the status (docs/guides/callbacks.md). */
export interface InboxHandlerOptions {
  /** Verifies the callback. */
  readonly client: Pick<PaymentClient, 'verifiesCallback'> & Partial<Pick<PaymentClient, 'wake'>>
  /** Such as `journal.inbox` of `@tallystick/journal`. */
  readonly inbox: CallbackInbox
  readonly onOutcome?: undefined
  readonly onNotice?: undefined
  readonly onUnconfirmed?: undefined
}

/** Confirms callbacks by status before it acknowledges them. */
export interface CallbackHandlerOptions {
  /** Verifies the callback and confirms it by status. */
  readonly client: Pick<PaymentClient, 'verifiesCallback' | 'status'> & Partial<Pick<PaymentClient, 'wake'>>
  /**
   * What the shop does with the outcome of a payment. Called at least once per outcome, and again after a restart or a
   * failure: make it harmless to repeat. Key the payment by `orderId`. If it throws, the answer asks the gateway to call again.
   */
  readonly onOutcome: (outcome: PaymentOutcome & { readonly change?: never }) => void | Promise<void>
  /**
   * What it does with what was done to an order later, such as a chargeback or a return, in the same way. Key it by `orderId`,
   * the `transactionType` and the `status` of the `change`, and `reply.amount`. `'ignore'`: such callbacks are acknowledged.
   */
  readonly onNotice: ((notice: PaymentNotice) => void | Promise<void>) | 'ignore'
  /**
   * Called if the status of a callback's order cannot be read, for the log: the gateway only sees a 503 and calls again. A
   * wrong login or key shows here.
   */
  readonly onUnconfirmed?:
    | ((error: PaymentError, callback: Pick<Callback, 'orderId' | 'clientOrderId'>) => void)
    | undefined
  readonly inbox?: undefined
}

/**
 * Handles callbacks of a gateway, GET or POST. A callback itself proves nothing, since its control leaves out the amount
 * and the time: it is verified, then confirmed by the status, and only the status counts.
 *
 * With an `inbox` it answers 200 once the callback is durable there; 503 if the inbox is full.
 *
 * Without one it answers 200 once the outcome is handled; 503 if the status cannot be read or is not final yet, so that
 * the gateway calls again. It remembers the last 10,000 orders: a repeat of a callback, which any customer can send, costs
 * neither a status check nor a call of the handler; the status is checked once more after two seconds. In both cases 400 for what is no callback; 403 for a bad control; 405 for other methods.
 *
 * An error of the inbox or `onOutcome` is the `cause` of a thrown `HandlerError` of status 503: the gateway calls again.
 */
export function createCallbackHandler(options: CallbackHandlerOptions | InboxHandlerOptions): Handler {
  checkOptions('A callback handler', options, KINDS)
  if ((options.inbox === undefined) === (options.onOutcome === undefined)) {
    throw new TypeError('A callback handler: give either inbox, such as journal.inbox, or onOutcome')
  }
  if (options.inbox !== undefined && (options.onNotice ?? options.onUnconfirmed) !== undefined) {
    throw new TypeError(
      'A callback handler: onNotice and onUnconfirmed are never called beside inbox: give them to its reader',
    )
  }
  const take = options.inbox !== undefined ? keep(options) : confirmAndDeliver(options)
  const { client } = options
  return getOrPost(async (inbound) => {
    const read = readInboundForm(inbound, readCallback)
    if (read instanceof MalformedFormError) return answer(400, read.message)
    if (!read.ok)
      return answer(400, `This is no callback: ${read.issues.map((issue) => issue.wireName).join(', ')} missing.`)
    if (!client.verifiesCallback(read.value)) return answer(403, 'The control of this callback is wrong.')
    return await taking(() => take(read.value))
  })
}

/** Checked now, not at the first callback, when customers have been charged. */
const KINDS: Validators<CallbackHandlerOptions | InboxHandlerOptions> = {
  client: validator.required(validator.withMethods('a client', 'verifiesCallback')),
  inbox: validator.withMethods('an inbox, such as journal.inbox', 'receive'),
  onOutcome: validator.function,
  onNotice: {
    wanted: "a function, or 'ignore'",
    isRight: (value) => typeof value === 'function' || value === 'ignore',
  },
  onUnconfirmed: validator.function,
}

type Take = (callback: Callback) => Promise<Outbound>

function keep({ client, inbox }: InboxHandlerOptions): Take {
  return async (callback) => {
    const kept = await inbox.receive(callback)
    client.wake?.(callback.clientOrderId)
    return kept === 'stored' ? answer(200, 'OK') : answer(503, 'Too many callbacks of unknown orders; call again.')
  }
}

const NO_ONE = "give onNotice beside onOutcome, or 'ignore'"

/** Asks for the status: an outcome comes from nothing else. */
function confirmAndDeliver({ client, onOutcome, onNotice, onUnconfirmed }: CallbackHandlerOptions): Take {
  return repeatedCallbacks(async ({ clientOrderId, orderId }, heard) => {
    client.wake?.(clientOrderId)
    const order = { clientOrderId, orderId }
    const reply = await answerOrError(() => client.status(order))
    if (isPaymentError(reply)) {
      // It may be async: nobody else would handle what it throws then.
      const heard: unknown = onUnconfirmed?.(reply, order)
      await heard
      return answer(503, 'The status is not available now; call again.')
    }
    if (!isFinalStatus(reply.status)) return answer(503, 'The order is not final yet; call again.')
    const { change, ...shown } = outcomeShown(reply, reply.status)
    const reported = JSON.stringify([shown.status, change, reply.amount])
    if (heard.reported === reported) return answer(200, 'OK')
    if (change === undefined) await onOutcome({ ...order, ...shown, reply })
    else if (onNotice === undefined)
      throw new TypeError(`Order ${clientOrderId} was changed (${change.transactionType}): ${NO_ONE}`)
    else if (onNotice !== 'ignore') await onNotice({ ...order, ...shown, change, reply })
    heard.reported = reported
    return answer(200, 'OK')
  })
}
