import { html, type SafeHtml } from '@remix-run/html-template'
import { isFinalStatus, type Pair } from '@tallystick/core'
import { payloadPairs } from '../callbacks/payload.ts'
import { openingOperation, ruledOrder } from '../orders/operations.ts'
import type { StoredOrder } from '../orders/order.ts'
import type { Texts } from '../texts/en.ts'
import { formPage } from './form/form-page.ts'
import { anyHost, failurePage, hiddenInputs, type Page, type PageAnswer } from './layout.ts'
import { viewOf } from './order-summary.ts'
import { languageOf, type PageContext } from './page-route.ts'
import { threeDsPage } from './three-ds.ts'

/** The page of an order, in whatever state the order is now. */
export async function showOrder(context: PageContext): Promise<PageAnswer> {
  const order = await context.orderOfPage()
  if (order === undefined) return failurePage('not-found', context.language)
  const view = viewOf(order, context)
  if (view.shows === 'return') await context.service.faults.callbackBeforeReturn(order)
  return pageOf(order, view, context)
}

function pageOf(order: StoredOrder, view: ReturnType<typeof viewOf>, context: PageContext): Page {
  switch (view.shows) {
    case 'form':
      return formPage(order, view.form, context)
    case 'three-ds':
      return threeDsPage(order, view.awaits, context)
    case 'wait':
      return waitPage(order, context)
    case 'return':
      return returnPage(order, context)
    case 'nothing':
      return failurePage('not-found', languageOf(order, context))
    case 'expired':
      return expiredPage(order, context)
  }
}

type Outcome = 'approved' | 'failed' | 'undecided'

function outcomeOf(order: StoredOrder): Outcome {
  const { status } = openingOperation(order)
  if (status === 'approved') return 'approved'
  return isFinalStatus(status) ? 'failed' : 'undecided'
}

/**
 * What the customer is told: whether money has moved, as it is by now, since the shop may have given it back. It names no
 * amount, so it may be said for as long as the page exists.
 */
function outcomeText(order: StoredOrder): keyof Texts {
  const outcome = outcomeOf(order)
  if (outcome !== 'approved') return outcome
  if (openingOperation(order).kind === 'account-verification') return 'verified'
  const { held, kept, paidOut } = ruledOrder(order)
  if (paidOut > 0n) return 'sent'
  if (kept > 0n) return 'paid'
  return held > 0n ? 'reserved' : 'undone'
}

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
function returnPage(order: StoredOrder, context: PageContext): Page {
  const language = languageOf(order, context)
  const { texts } = language
  // The merchant is not configured any more, so there is no key to sign with.
  if (context.service.merchants.byLogin(order.login) === undefined) return expiredPage(order, context)
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
  const { profile, merchants } = context.service
  const target = targetOf(order, outcomeOf(order))
  const { controlKey } = merchants.byLogin(order.login) ?? {}
  if (target === undefined || controlKey === undefined) return undefined
  const endpoint = merchants.endpointOf(order)
  const pairs = payloadPairs({ order, operation: openingOperation(order), controlKey, profile, endpoint })
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

/** Seconds after which the page reloads. */
const REFRESH_AFTER = 2

/** Shown while the acquirer is asked. The page reloads on its own, with or without script. */
function waitPage(order: StoredOrder, context: PageContext): Page {
  const language = languageOf(order, context)
  const { texts } = language
  return {
    kind: 'page',
    language,
    title: texts.titleOfWaiting,
    refreshAfter: REFRESH_AFTER,
    body: html`<div class="spinner"></div>
<h1>${texts.titleOfWaiting}</h1>
<p role="status">${texts.waiting}</p>
<a class="button" href="">${texts.checkNow}</a>`,
  }
}

/** The page of an order that needs its customer no more: whether money has moved, and nothing else about the order. */
export function expiredPage(order: StoredOrder, context: PageContext): Page {
  const language = languageOf(order, context)
  const { texts } = language
  return {
    kind: 'page',
    status: 410,
    language,
    title: texts.titleOfExpired,
    body: html`<h1>${texts.titleOfExpired}</h1><p role="status">${texts[outcomeText(order)]}</p><p>${texts.askTheShop}</p>`,
  }
}
