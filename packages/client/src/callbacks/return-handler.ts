import { type Callback, MalformedFormError, readCallback } from '@tallystick/core'
import { changeShown, checkOptions, type Validators, validator } from '@tallystick/core/internal'
import { WAIT_KINDS } from '../options.ts'
import type { Outcome } from '../outcomes/outcome.ts'
import type { PaymentClient } from '../payment-client.ts'
import type { WaitOptions } from '../result.ts'
import { getOrPost, type Handler, type Inbound, type Outbound, requirePage, taking } from './handler.ts'
import { readInboundForm } from './inbound.ts'

/** With a journal, which knows the order and may have its outcome already. */
export interface JournalReturnOptions<View> {
  readonly client?: undefined
  /** Such as the journal of `@tallystick/journal`. */
  readonly journal: { browserReturn(clientOrderId: string | undefined): Promise<View> }
  /** The page that the customer sees. Never proof of payment: decide about goods in the outcome handler. */
  readonly show: (view: View, inbound: Inbound) => Outbound | Promise<Outbound>
}

/** Without one: the handler polls the status while the customer waits. */
export interface ClientReturnOptions extends WaitOptions {
  readonly journal?: undefined
  /** Verifies what the browser brought, and polls the status. */
  readonly client: Pick<PaymentClient, 'verifiesCallback' | 'waitForOutcome'>
  /** How long the customer waits for the page at most, in milliseconds. Default 10 000. */
  readonly deadlineMs?: number | undefined
  /** The page that the customer sees. Never proof of payment: decide about goods in `onOutcome`. */
  readonly show: (view: ReturnedOrder, inbound: Inbound) => Outbound | Promise<Outbound>
}

/** What the page shows to a customer who comes back. */
export type ReturnedOrder =
  | {
      /**
       * Of the payment itself. Also `approved` if a capture, return or chargeback followed or failed: do not ask for payment
       * again. `pending`: not decided yet; ask the customer to wait, and never to pay again.
       */
      readonly shown: 'approved' | 'declined' | 'pending'
      readonly clientOrderId: string
      readonly orderId: string
      /** Of the order's last operation, which may be a return: show the customer `shown`. */
      readonly outcome: Outcome
    }
  /** It named no order of this gateway's. */
  | { readonly shown: 'unknown-order' }

const WAIT_MS = 10_000

/**
 * Handles the browser that comes back from the gateway's pages, by POST or GET. What it brings proves nothing, since its
 * control covers neither the amount nor the time: it names an order, the status decides, `show` makes the page.
 *
 * 405 for other methods. Throws a `HandlerError` of status 503 if the order's status cannot be read; passes on errors of
 * `show`.
 *
 * @throws TypeError for a wrong option
 */
export function createBrowserReturnHandler<View>(options: JournalReturnOptions<View> | ClientReturnOptions): Handler {
  checkOptions('A browser return', options, KINDS)
  if ((options.journal === undefined) === (options.client === undefined)) {
    throw new TypeError('A browser return: give either journal or client')
  }
  if (options.journal === undefined) return showing((inbound) => askFor(inbound, options), options)
  return showing((inbound) => options.journal.browserReturn(readBrowserReturn(inbound)), options)
}

/** Checked now, not when the first customer comes back. */
const KINDS: Validators<JournalReturnOptions<unknown> | ClientReturnOptions> = {
  journal: validator.withMethods('a journal', 'browserReturn'),
  client: validator.withMethods('a client', 'verifiesCallback', 'waitForOutcome'),
  show: validator.required(validator.function),
  ...WAIT_KINDS,
}

function showing<View>(
  find: (inbound: Inbound) => Promise<View>,
  page: Pick<JournalReturnOptions<View>, 'show'>,
): Handler {
  return getOrPost(async (inbound) => {
    const view = await taking(() => find(inbound))
    return requirePage('A browser return', await page.show(view, inbound))
  })
}

async function askFor(inbound: Inbound, options: ClientReturnOptions): Promise<ReturnedOrder> {
  const { client, show: _, journal: __, deadlineMs = WAIT_MS, ...call } = options
  const returned = readReturned(inbound)
  if (returned === undefined || !client.verifiesCallback(returned, call)) return { shown: 'unknown-order' }
  const { clientOrderId, orderId } = returned
  const outcome = await client.waitForOutcome({ clientOrderId, orderId }, { ...call, deadlineMs })
  return { shown: shownOf(outcome), clientOrderId, orderId, outcome }
}

function shownOf(outcome: Outcome): 'approved' | 'declined' | 'pending' {
  const reply = outcome.outcome === 'undecided' ? outcome.lastPoll?.reply : outcome.reply
  if (reply !== undefined && changeShown(reply) !== undefined) return 'approved'
  if (outcome.outcome === 'undecided') return 'pending'
  return outcome.outcome === 'approved' ? 'approved' : 'declined'
}

/**
 * The client order id that a browser names when it comes back from the gateway, by POST or GET; `undefined` if it names none.
 * Anybody can send it, and its control covers neither the amount nor the time: it says which order to ask for, never what
 * became of it.
 */
export function readBrowserReturn(inbound: Inbound): string | undefined {
  return readReturned(inbound)?.clientOrderId
}

/** All that the browser brought, unverified. */
function readReturned(inbound: Inbound): Callback | undefined {
  const read = readInboundForm(inbound, readCallback)
  return read instanceof MalformedFormError || !read.ok ? undefined : read.value
}
