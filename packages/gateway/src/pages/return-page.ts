import { html, type SafeHtml } from '@remix-run/html-template'
import type { Pair } from '@tallystick/core'
import { noticePairs } from '../callbacks/payload.ts'
import { openingOperation } from '../orders/operations.ts'
import type { StoredOrder } from '../orders/order.ts'
import type { Texts } from '../texts/en.ts'
import { anyHost } from './any-host.ts'
import { expiredPage } from './expired-page.ts'
import { hiddenInputs } from './hidden-inputs.ts'
import { languageOf } from './language-of.ts'
import { type Outcome, outcomeOf, outcomeText } from './outcome.ts'
import type { Page } from './page.ts'
import type { PageContext } from './page-route.ts'

/** The fields that the browser takes back (gaps part 6): fewer than a callback has, without the payer's name and email. */
const RETURN_FIELDS: ReadonlySet<string> = new Set([
  'status',
  'orderid',
  'merchant_order',
  'client_orderid',
  'error_message',
  'control',
  'descriptor',
  'processor-tx-id',
  'amount',
  'bin',
  'type',
  'card-type',
  'phone',
  'last-four-digits',
  'card-holder-name',
  'error_code',
])

/** Sends the form at once. The page is not added to the browser's history, so the back button does not return to it. */
const SEND = 'document.forms[0].submit()'

/** The way back to the merchant: a form that is posted by script, or by its button if the browser runs none. */
export function returnPage(order: StoredOrder, context: PageContext): Page {
  const language = languageOf(order, context)
  const { texts } = language
  // The merchant is not configured any more, so there is no key to sign with.
  if (context.merchants.byLogin(order.login) === undefined) return expiredPage(order, context)
  const heading = html`<h1>${texts.titleOfReturn}</h1><p role="status">${texts[outcomeText(order)]}</p>`
  const page = { kind: 'page', language, title: texts.titleOfReturn } as const
  const back = returnForm(order, context)
  if (back === undefined) return { ...page, body: html`${heading}<p>${texts.closePage}</p>` }
  return { ...page, body: html`${heading}${back.form}`, formTargets: back.formTargets, script: SEND }
}

interface ReturnForm {
  readonly form: SafeHtml
  /** For the whole page, which has no other form and asks for no input. */
  readonly formTargets: readonly string[]
}

/**
 * The form that takes the browser to the merchant, at an address of the order itself. `undefined`: the order has none, or the
 * merchant is not configured any more, so there is no key to sign with.
 */
export function returnForm(order: StoredOrder, context: PageContext): ReturnForm | undefined {
  const { profile, merchants } = context
  const target = targetOf(order, outcomeOf(order))
  const { controlKey } = merchants.byLogin(order.login) ?? {}
  if (target === undefined || controlKey === undefined) return undefined
  const endpoint = merchants.endpointOf(order)
  const pairs = noticePairs({ order, operation: openingOperation(order), controlKey, profile, endpoint })
  const { texts } = languageOf(order, context)
  return { form: formOf(target, pairs, texts), formTargets: anyHost(target) }
}

function formOf(target: string, pairs: readonly Pair[], texts: Texts): SafeHtml {
  const fields = pairs.filter(([name]) => RETURN_FIELDS.has(name))
  return html`<form method="post" action="${target}" accept-charset="utf-8">${hiddenInputs(fields)}
<button>${texts.returnToShop}</button></form>`
}

/** `redirect_url` whatever the outcome (gaps part 6), unless the order has a separate address for this outcome. */
function targetOf({ details }: StoredOrder, outcome: Outcome): string | undefined {
  const { redirectUrl, redirectSuccessUrl, redirectFailUrl } = details.addresses
  const own = { approved: redirectSuccessUrl, failed: redirectFailUrl, undecided: undefined }
  return own[outcome] ?? redirectUrl
}
