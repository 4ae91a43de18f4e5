import type { AuthenticationRequest, StoredOrder } from '../orders/order.ts'
import { openingOperation } from '../orders/shown-order.ts'
import { failurePage } from '../pages/failure-pages.ts'
import { languageOf } from '../pages/language-of.ts'
import type { Page, PageAnswer } from '../pages/page.ts'
import type { PageContext } from '../pages/page-route.ts'
import { readFields } from '../pages/read-fields.ts'
import { type SimulatedTransaction, simulatedTransaction } from './transaction.ts'

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
    if (fields === undefined) return failurePage('unreadable', language)
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
    ? failurePage('expired', languageOf(order, context))
    : { kind: 'see-other', to: `/3ds/redirect/${context.token}` }
}
