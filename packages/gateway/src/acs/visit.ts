import { html } from '@remix-run/html-template'
import { formLifetime } from '../flow/patience.ts'
import type { AuthenticationRequest, StoredOrder } from '../orders/order.ts'
import { openingOperation } from '../orders/shown-order.ts'
import { failurePage } from '../pages/failure-pages.ts'
import { languageAt, languageOf } from '../pages/language-of.ts'
import type { Page, PageAnswer } from '../pages/page.ts'
import type { PageContext } from '../pages/page-route.ts'
import { readFields } from '../pages/read-fields.ts'
import { returnForm } from '../pages/return-page.ts'
import { viewOf } from '../pages/view-of.ts'
import { type SimulatedTransaction, simulatedTransaction } from './transaction.ts'
import { FRAMED_BY_ANY } from './way-back.ts'

type RequestFor<S extends AuthenticationRequest['step']> = Extract<AuthenticationRequest, { readonly step: S }>

/** What the customer's browser brought to the simulated server, for an order that waits for it. */
export interface Visit<S extends AuthenticationRequest['step']> {
  readonly context: PageContext
  readonly order: StoredOrder
  readonly awaits: RequestFor<S>
  readonly transaction: SimulatedTransaction
  readonly fields: ReadonlyMap<string, string>
}

/**
 * Answers a page of the simulated server. There is none with another acquirer; and an order that does not wait for this
 * step any more is shown where it is, if the gateway shows it at all.
 */
export function visit<S extends AuthenticationRequest['step']>(
  step: S,
  answer: (visit: Visit<S>) => PageAnswer,
): (context: PageContext) => Promise<PageAnswer> {
  return async (context) => {
    const { store, token, request, language, acquirer } = context
    const fields = readFields(request)
    if (fields === undefined) return failurePage('unreadable', await languageAt(context))
    const order = acquirer.isSimulated === true ? await store.orderByPageToken(token) : undefined
    if (order === undefined) return failurePage('not-found', language)
    const { id, status, prepared = '', outcome } = openingOperation(order)
    const { awaits } = outcome
    if (status !== 'processing' || awaits === undefined || !isStep(awaits, step)) return elsewhere(order, context)
    return answer({ context, order, awaits, fields, transaction: simulatedTransaction(prepared, id) })
  }
}

/** What was brought is none of what this order waits for. */
export function unreadable({ order, context }: Pick<Visit<AuthenticationRequest['step']>, 'order' | 'context'>): Page {
  return failurePage('unreadable', languageOf(order, context))
}

function isStep<S extends AuthenticationRequest['step']>(
  awaits: AuthenticationRequest,
  step: S,
): awaits is RequestFor<S> {
  return awaits.step === step
}

function elsewhere(order: StoredOrder, context: PageContext): PageAnswer {
  return order.details.pages?.threeDs === 'server'
    ? expired(order, context)
    : { kind: 'see-other', to: `/3ds/redirect/${context.token}` }
}

/** Whoever comes too late goes on to the shop, for as long as the way back is shown at all: the shop knows the outcome. */
function expired(order: StoredOrder, context: PageContext): Page {
  const { at, merchants } = context
  const page: Page = { ...failurePage('expired', languageOf(order, context)), framedBy: FRAMED_BY_ANY }
  const { shows } = viewOf(order, at, formLifetime(order, merchants))
  const back = shows === 'return' ? returnForm(order, context) : undefined
  return back === undefined ? page : { ...page, body: html`${page.body}${back.form}`, formTargets: back.formTargets }
}
