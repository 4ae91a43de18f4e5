import { GATEWAY_CODES } from '@tallystick/core/internal'
import type { Decision, RequestFields } from '../../acquirer/acquirer.ts'
import { openRequestFields } from '../../acquirer/card.ts'
import type { Tries } from '../../context.ts'
import { formPath, withoutParticulars } from '../../orders/new-order.ts'
import { advanceOperation, openingOperation } from '../../orders/operations.ts'
import type { HostedForm, StoredOrder } from '../../orders/order.ts'
import { shownCard, shownDestination } from '../../orders/shown-order.ts'
import { askedOperation, execute, originOf, tokenize } from '../../processing/execute.ts'
import { endingOf } from '../../processing/expiry.ts'
import { failurePage, type PageAnswer, type SeeOther } from '../layout.ts'
import { viewOf } from '../order-summary.ts'
import { languageAt, languageOf, type PageContext } from '../page-route.ts'
import { MOST_TRIES, readFields } from './fields.ts'
import { formPage } from './form-page.ts'
import { type ReadForm, readForm } from './read-form.ts'

const TOO_MANY_TRIES = {
  status: 'error',
  errorCode: GATEWAY_CODES.tooManyTries,
  errorMessage: 'The form was sent three times with details that could not be accepted.',
} as const satisfies Decision

/**
 * Takes a form that was filled in, as one change of the order as it was read. If two are sent at once, one of them finds that
 * the order has moved on, and its customer sees where the order is now. So does one who sends the form again after going back.
 */
export async function submitForm(context: PageContext): Promise<PageAnswer> {
  const { service, orderOfPage, at, request } = context
  const fields = readFields(request)
  if (fields === undefined) return failurePage('unreadable', await languageAt(context))
  let isCounted = false
  // Once, however often the order changes meanwhile.
  const countTry: Tries['take'] = (tried) => {
    if (isCounted) return undefined
    isCounted = true
    return service.tries.take(tried)
  }
  for (;;) {
    const order = await orderOfPage()
    if (order === undefined) return failurePage('not-found', context.language)
    const view = viewOf(order, context)
    if (view.shows !== 'form') return whereThingsAre(context)
    const read = readForm(view.form, fields, at)
    const answer = read.ok
      ? await take(order, { ...read, form: view.form, countTry }, context)
      : await refuse(order, { ...read, form: view.form }, context)
    if (answer !== undefined) return answer
  }
}

function whereThingsAre(context: PageContext): SeeOther {
  return { kind: 'see-other', to: formPath(context) }
}

type Refused = Extract<ReadForm, { ok: false }> & { readonly form: HostedForm }

/** Counts the try. `undefined`: the order has changed meanwhile. */
async function refuse(
  order: StoredOrder,
  refused: Refused,
  context: PageContext,
  byBank?: string,
): Promise<PageAnswer | undefined> {
  const { service } = context
  const { pages } = order.details
  if (pages === undefined) throw new Error(`The order ${order.orderId} has no page`)
  const tries = (pages.tries ?? 0) + 1
  const counted: StoredOrder = { ...order, details: { ...order.details, pages: { ...pages, tries } } }
  if (tries >= MOST_TRIES) {
    const { errorMessage } = TOO_MANY_TRIES
    const ending = byBank === undefined ? errorMessage : `${errorMessage} The bank refused the last: ${byBank}`
    const { ok } = await service.commit(endingOf(counted, { ...TOO_MANY_TRIES, errorMessage: ending }, service).change)
    return ok ? whereThingsAre(context) : undefined
  }
  const after = { ...counted, version: order.version + 1 }
  const { ok } = await service.commit({ order: { order: after, basedOn: order.version } })
  return ok ? formPage(after, refused.form, context, refused) : undefined
}

type Taken = Extract<ReadForm, { ok: true }> & {
  readonly form: HostedForm
  readonly countTry: Tries['take']
}

/** Hands the card to the acquirer, writes the order as sent, then carries it out. `undefined`: the order has changed. */
async function take(order: StoredOrder, read: Taken, context: PageContext): Promise<PageAnswer | undefined> {
  const { service, at } = context
  const { form } = read
  const sealed = read.card && service.vault.seal(order.login, read.card)
  if (read.paymentMethod.card !== undefined && sealed !== undefined) {
    const from = service.callers.countedAs(context.request.peer)
    const tooOften = read.countTry({ login: order.login, fingerprint: sealed.fingerprint, from })
    const headers = { 'retry-after': String(tooOften?.afterSeconds) }
    if (tooOften !== undefined) return failurePage(tooOften.limit, languageOf(order, context), headers)
  }
  const paymentMethod = { ...read.paymentMethod, requestFields: particularsOf(order, read, context) }
  const { id, kind, amount } = openingOperation(order)
  const payment = { ...originOf(order), kind, amount, currency: order.terms.currency }
  const taken = await tokenize(paymentMethod, payment, { at }, service)
  if ('refused' in taken) return await refuse(order, { ...refusedByBank(read), form }, context, taken.refused)
  const { reference: token, authenticates } = taken
  const step = { status: 'sent', at, outcome: {}, token } as const
  const advanced = advanceOperation(withoutParticulars(order), id, step)
  const { pages, ...details } = advanced.order.details
  const sent: StoredOrder = {
    ...advanced.order,
    details: {
      ...details,
      ...(read.paymentMethod.card === undefined || sealed === undefined ? {} : { card: shownCard(sealed) }),
      ...(read.paymentMethod.destination === undefined
        ? {}
        : { destination: { ...(sealed && shownDestination(sealed)), bankName: read.bankName } }),
      pages: pages && { ...pages, ...(authenticates ? { threeDs: 'redirect' as const } : {}) },
    },
  }
  const cards = sealed === undefined ? [] : [sealed]
  const { ok } = await service.commit({ order: { order: sent, basedOn: order.version }, cards })
  if (!ok) return undefined
  const asked = askedOperation(sent, advanced.operation, service)
  service.background.run(() => execute(asked, service))
  return whereThingsAre(context)
}

/** The reason is for the merchant. The customer reads that something else is needed. */
function refusedByBank({ paymentMethod }: Taken): Extract<ReadForm, { ok: false }> {
  const isCard = paymentMethod.destination === undefined
  return { ok: false, issues: isCard ? { credit_card_number: 'cardRefused' } : { way: 'destinationRefused' } }
}

/** What the request for the form said, and the name on the card: a request with a card says both. */
function particularsOf(
  { details }: StoredOrder,
  { card }: Taken,
  { service: { vault }, token }: PageContext,
): RequestFields {
  const name = card?.cardholderName
  const said = openRequestFields(details.pages?.requestFields, token, vault)
  return name === undefined ? said : { ...said, fields: { ...said.fields, cardPrintedName: name } }
}
