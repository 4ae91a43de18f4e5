import { html, type SafeHtml } from '@remix-run/html-template'
import { majorUnits, NO_CURRENCY } from '../orders/amounts.ts'
import { openingOperation } from '../orders/operations.ts'
import type { StoredOrder } from '../orders/order.ts'
import { remembering } from '../runtime/memoize.ts'
import type { Texts } from '../texts/en.ts'
import { inAscii } from '../texts/in-ascii.ts'
import type { PageContext } from './page-route.ts'

/** The order's amount in the customer's language. `undefined`: no money moves. */
export function amountOf(
  order: StoredOrder,
  { profile, formatAmount }: PageContext,
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

const label = remembering((text) => inAscii(html`${text}`))

/** Cut between characters, not within one. */
function shortened(text: string): string {
  if (text.length <= LONGEST_DESCRIPTION) return text
  const characters = Array.from(text)
  return characters.length <= LONGEST_DESCRIPTION ? text : `${characters.slice(0, LONGEST_DESCRIPTION).join('')} …`
}
