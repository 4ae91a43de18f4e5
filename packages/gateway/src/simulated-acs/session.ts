import { html } from '@remix-run/html-template'
import { isFinalStatus } from '@tallystick/core'
import { type SimulatedTransaction, simulatedTransaction } from '../acquirer/simulated-messages.ts'
import { threeDsPath } from '../orders/new-order.ts'
import { openingOperation } from '../orders/operations.ts'
import type {
  AuthenticationRequest,
  AuthenticationRequestOf,
  AuthenticationStep,
  StoredOrder,
} from '../orders/order.ts'
import { readFields, type SentFields } from '../pages/form/fields.ts'
import { failurePage, type Page, type PageAnswer } from '../pages/layout.ts'
import { viewOf } from '../pages/order-summary.ts'
import { languageAt, languageOf, type PageContext } from '../pages/page-route.ts'
import { expiredPage, returnForm } from '../pages/show-order.ts'

/** A visit of the customer's browser to the simulated server, for an order that waits for it. */
export interface Session<S extends AuthenticationStep> {
  readonly context: PageContext
  readonly order: StoredOrder
  readonly awaits: AuthenticationRequestOf<S>
  readonly transaction: SimulatedTransaction
  readonly fields: SentFields
}

/**
 * Answers a page of the simulated server; with another acquirer there are none. If the order no longer waits for this step,
 * the customer goes to the gateway's 3DS page, or if the merchant runs 3DS, sees a page that says so. An answer of `undefined` means
 * that the order has changed meanwhile.
 */
export function inSession<S extends AuthenticationStep>(
  step: S,
  answer: (visit: Session<S>) => PageAnswer | undefined | Promise<PageAnswer | undefined>,
): (context: PageContext) => Promise<PageAnswer> {
  return async (context) => {
    const { service, orderOfPage, request, language } = context
    const fields = readFields(request)
    if (fields === undefined) return failurePage('unreadable', await languageAt(context))
    for (;;) {
      const order = service.acquirer.isSimulated === true ? await orderOfPage() : undefined
      if (order === undefined) return failurePage('not-found', language)
      const { id, status, token = '', outcome } = openingOperation(order)
      const { awaits } = outcome
      if (status !== 'processing' || awaits === undefined || !isStep(awaits, step))
        return await elsewhere(order, context)
      const answered = await answer({ context, order, awaits, fields, transaction: simulatedTransaction(token, id) })
      if (answered !== undefined) return answered
    }
  }
}

/** The browser brought something that this order does not wait for. */
export function unreadable({ order, context }: Pick<Session<AuthenticationStep>, 'order' | 'context'>): Page {
  return failurePage('unreadable', languageOf(order, context))
}

function isStep<S extends AuthenticationStep>(
  awaits: AuthenticationRequest,
  step: S,
): awaits is AuthenticationRequestOf<S> {
  return awaits.step === step
}

async function elsewhere(order: StoredOrder, context: PageContext): Promise<PageAnswer> {
  if (order.details.pages?.threeDs !== 'server') return { kind: 'see-other', to: threeDsPath(context) }
  const isFinal = isFinalStatus(openingOperation(order).status)
  const page = isFinal ? await ended(order, context) : expiredPage(order, context)
  return { ...page, framedBy: FRAMED_BY_ANY }
}

/** A customer who comes too late can go on to the shop, which knows the outcome, while the gateway shows the way back. */
async function ended(order: StoredOrder, context: PageContext): Promise<Page> {
  const page = expiredPage(order, context)
  if (viewOf(order, context).shows !== 'return') return page
  await context.service.faults.callbackBeforeReturn(order)
  const back = returnForm(order, context)
  return back === undefined ? page : { ...page, body: html`${page.body}${back.form}`, formTargets: back.formTargets }
}

/** Any site may show an issuer's pages in a frame: some merchants show the challenge in one. */
export const FRAMED_BY_ANY = ['*'] as const

/** A page that leads nowhere. */
export function deadEnd({ order, context }: Pick<Session<AuthenticationStep>, 'order' | 'context'>, why: string): Page {
  const language = languageOf(order, context)
  const { titleOfAcs } = language.texts
  return {
    kind: 'page',
    language,
    title: titleOfAcs,
    body: html`<h1>${titleOfAcs}</h1><p>${why}</p>`,
    framedBy: FRAMED_BY_ANY,
  }
}
