import { html, type SafeHtml } from '@remix-run/html-template'
import { isFinalStatus } from '@tallystick/core'
import type { Merchants } from '../merchants/merchants.ts'
import { majorUnits, NO_CURRENCY } from '../orders/amounts.ts'
import { openingOperation } from '../orders/operations.ts'
import type { AuthenticationRequest, HostedForm, StoredOrder } from '../orders/order.ts'
import { awaitedOfCustomer, formLifetime } from '../processing/tasks.ts'
import { memoize } from '../runtime/tasks.ts'
import type { Texts } from '../texts/en.ts'
import { inAscii } from '../texts/languages.ts'
import type { PageContext } from './page-route.ts'

/** The order's amount in the customer's language. `undefined`: no money moves. */
export function amountOf(
  order: StoredOrder,
  { service: { profile }, formatAmount }: PageContext,
  tag: string,
): SafeHtml | undefined {
  const { currency } = order.terms
  if (currency === NO_CURRENCY) return undefined
  const amount = majorUnits(openingOperation(order).amount, currency, profile)
  return amount === undefined ? undefined : formatAmount(amount, currency, tag)
}

/** Enough for the customer to recognize the order. A description may be 64 KiB long. */
const LONGEST_DESCRIPTION = 200

/** What the customer recognizes the order by. */
export function summaryOf({ clientOrderId, details }: StoredOrder, texts: Texts): SafeHtml {
  const description = shortened(details.orderDesc ?? '')
  return html`<dl>
${description && html`<dt>${label(texts.orderDescription)}</dt><dd>${inAscii(html`${description}`)}</dd>`}
<dt>${label(texts.orderNumber)}</dt><dd>${inAscii(html`${clientOrderId}`)}</dd>
</dl>`
}

const label = memoize((text) => inAscii(html`${text}`))

/** Cut between characters, not within one. */
function shortened(text: string): string {
  if (text.length <= LONGEST_DESCRIPTION) return text
  const characters = Array.from(text)
  return characters.length <= LONGEST_DESCRIPTION ? text : `${characters.slice(0, LONGEST_DESCRIPTION).join('')} …`
}

/** Which page of an order the customer sees. */
type OrderView =
  | { readonly shows: 'form'; readonly form: HostedForm }
  /** Its merchant or its endpoint is not configured any more, so it can no longer be paid. */
  | { readonly shows: 'nothing' }
  | { readonly shows: 'three-ds'; readonly awaits: AuthenticationRequest }
  /** The order continues without the customer, who waits. */
  | { readonly shows: 'wait' }
  /** The way back to the merchant. */
  | { readonly shows: 'return' }
  /** The order ended so long ago that the way back is not shown any more. */
  | { readonly shows: 'expired' }

/**
 * How long the customer waits for an outcome, from what they last sent, before the browser goes back without one. An outcome
 * may be unknown for days (conflict C10), and the merchant asks for the status anyway: the return is no source of truth (gaps
 * part 6). The first look-up of an unknown outcome comes after a minute.
 */
const LONGEST_WAIT_MS = 90_000

interface Seen {
  readonly service: { readonly merchants: Pick<Merchants, 'endpointOf'> }
  /** Now. */
  readonly at: number
}

/** Decides by the state of the order alone, so that reload, back and a second tab all show where the order is now. */
export function viewOf(order: StoredOrder, { service: { merchants }, at }: Seen): OrderView {
  const lifetime = formLifetime(order, merchants)
  const { status, statusAt, outcome } = openingOperation(order)
  const { form, threeDs } = order.details.pages ?? {}
  const since = at - statusAt
  if (isFinalStatus(status)) return { shows: since > lifetime ? 'expired' : 'return' }
  const awaited = awaitedOfCustomer(order)
  // A task ends the order when the time is over. Until it has run, the order still waits for a customer who is too late.
  if (awaited !== undefined && since >= lifetime) return { shows: 'wait' }
  if (awaited === 'form' && form !== undefined) {
    return merchants.endpointOf(order) === undefined ? { shows: 'nothing' } : { shows: 'form', form }
  }
  if (awaited === 'authentication' && outcome.awaits !== undefined && threeDs !== 'server') {
    return { shows: 'three-ds', awaits: outcome.awaits }
  }
  return { shows: at - (outcome.submitted?.at ?? statusAt) >= LONGEST_WAIT_MS ? 'return' : 'wait' }
}
