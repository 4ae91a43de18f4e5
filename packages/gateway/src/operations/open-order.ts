import type { Profile } from '@tallystick/core'
import { GATEWAY_CODES, type OpeningKind } from '@tallystick/core/internal'
import type { PaymentMethod, Token, TokenizationRefused, TokenizationRequest } from '../acquirer/acquirer.ts'
import type { RequestContext, Service } from '../context.ts'
import { ADDRESS_RULES, type AddressRules, callbackAddressIssue, holdsUser } from '../http/allowed-address.ts'
import { type Answer, asyncReply, formReply, refusal } from '../http/reply.ts'
import { minorUnits, NO_CURRENCY } from '../orders/amounts.ts'
import { formPath, newOrder, termsOf, threeDsPath } from '../orders/new-order.ts'
import { openingOperation } from '../orders/operations.ts'
import type { OrderAddresses, OrderDetails, OrderOrigin, OrderPages, OrderPayer, StoredOrder } from '../orders/order.ts'
import { askedOperation, execute, originOf, tokenize } from '../processing/execute.ts'
import { abandonTask } from '../processing/tasks.ts'
import type { RecurringPayment } from '../store/recurring-payment.ts'
import type { SealedCard } from '../vault/sealed-card.ts'
import { refusedByRule } from './modifications.ts'

/** The parts of an order that its opening operation gives. */
interface Opening {
  readonly kind: OpeningKind
  readonly clientOrderId: string
  /** In major units. Absent if no money moves. */
  readonly money?: { readonly amount: string; readonly currency: string } | undefined
  readonly details: OrderDetails
  /** What the acquirer takes. Absent: a hosted page asks for it first. */
  readonly paymentMethod?: PaymentMethod | undefined
  /** Who takes the customer through 3DS, should that be needed. Default: the gateway, by redirect. */
  readonly threeDs?: OrderPages['threeDs']
  /** Default: the cardholder, with a new card. */
  readonly origin?: Omit<OrderOrigin, 'groupId'> | undefined
  /** Nobody is there to authenticate: a charge of a recurring payment. */
  readonly isUnattended?: boolean
  /** The cards of the order, sealed. */
  readonly cards?: readonly SealedCard[]
  /** A change of a recurring payment that is written with the order. */
  readonly recurring?: {
    readonly payment: RecurringPayment
    /** What to do if the payment was changed meanwhile. */
    readonly again: () => Promise<Answer>
  }
}

/**
 * Opens an order: the acquirer takes the card, the order is written as sent, the request is acknowledged, and the
 * acquirer is asked afterwards; the outcome follows by status and callback (interface part 1).
 *
 * A client order id that has an order already is refused; for a repeat of the same request the engine returns the first answer
 * instead (gaps part 13).
 */
export async function openOrder(opening: Opening, context: RequestContext): Promise<Answer> {
  const { service } = context
  const wrong = refusalOf(opening, context)
  if (wrong !== undefined) return wrong
  const token = await tokenizePayment(opening, context)
  if (token !== undefined && 'refused' in token) {
    return refusal(GATEWAY_CODES.refusedByAcquirer, token.refused)
  }
  for (;;) {
    const opened = newOrder(orderFrom(opening, token, context))
    if (!opened.ok) return refusedByRule(opened.refusal)
    const { order } = opened
    const written = await context.commit({
      order: { order, basedOn: 'nothing', repeatsAllowed: service.repeatsAllowed },
      cards: opening.cards,
      recurringPayment: opening.recurring?.payment,
      tasks: [abandonTask(order, service.merchants)].filter((task) => task !== undefined),
    })
    if (written.ok) {
      if (token !== undefined) {
        const asked = askedOperation(order, openingOperation(order), service)
        service.background.run(() => execute(asked, service))
      }
      return acknowledged(order, service)
    }
    // A control covers a text without separators: cut elsewhere, it would sign other money.
    if (written.conflict === 'control') return refusal(GATEWAY_CODES.signedAlike, SIGNED_ALIKE)
    if (written.conflict === 'client-order-id') return clientOrderIdTaken()
    if (written.conflict === 'recurring-payment' && opening.recurring !== undefined)
      return await opening.recurring.again()
  }
}

async function tokenizePayment(
  opening: Opening,
  context: RequestContext,
): Promise<Token | TokenizationRefused | undefined> {
  const { paymentMethod, kind, clientOrderId } = opening
  if (paymentMethod === undefined) return undefined
  const { service, requestFields, merchant, endpoint } = context
  const names = { login: merchant.login, endpointId: endpoint.id, clientOrderId }
  const origin = originOf({ ...names, details: detailsFrom(opening, context) })
  const payment = { ...origin, kind, ...minorAmountOf(opening, service.profile) }
  return await tokenize({ ...paymentMethod, requestFields }, payment, context, service)
}

function minorAmountOf({ money }: Opening, profile: Profile): Pick<TokenizationRequest, 'amount' | 'currency'> {
  const { amount, currency } = money ?? { amount: '0', currency: NO_CURRENCY }
  return { amount: minorUnits(amount, currency, profile), currency }
}

/** Most orders are of a customer with a new card, by the endpoint itself: they store nothing of it. */
function detailsFrom({ details, origin = {} }: Opening, { groupId }: RequestContext): OrderDetails {
  const { initiatedBy = 'cardholder', firstPayment } = origin
  if (initiatedBy === 'cardholder' && firstPayment === undefined && groupId === undefined) return details
  return { ...details, origin: { groupId, initiatedBy, firstPayment } }
}

/** The request was verified, so its merchant may know. */
const SIGNED_ALIKE =
  'clientOrderId (client_orderid) must give a control that no other order has: one of this merchant with another client_orderid ' +
  'was signed with the same. What a control covers is joined without separators, so that 1 for 23.45 and 12 for 3.45 sign ' +
  'alike. Nothing was created: choose an id that begins and ends with a letter.'

function refusalOf({ money, details }: Opening, context: RequestContext): Answer | undefined {
  const { endpoint } = context
  if (money !== undefined && !endpoint.allows(money.amount)) {
    const message = `amount (amount) must be ${endpoint.limitsText} at this endpoint.`
    return refusal(GATEWAY_CODES.amountNotAllowed, message)
  }
  return wrongAddress(details.addresses, context.service)
}

function orderFrom(opening: Opening, token: Token | undefined, context: RequestContext) {
  const { serialNumber, merchant, endpoint, digest, signedAs, at } = context
  const { ids, repeatsAllowed, profile } = context.service
  const { kind, clientOrderId, threeDs, isUnattended = false } = opening
  const { amount, currency } = minorAmountOf(opening, profile)
  const details = detailsFrom(opening, context)
  return {
    orderId: ids.orderId(),
    serialNumber,
    login: merchant.login,
    endpointId: endpoint.id,
    clientOrderId,
    digest,
    signedAs: repeatsAllowed ? undefined : signedAs,
    kind,
    amount,
    terms: termsOf(currency, endpoint),
    details:
      token?.authenticates && !isUnattended
        ? { ...details, pages: { token: ids.pageToken(), threeDs: threeDs ?? 'redirect' } }
        : details,
    token: token?.reference,
    at,
  }
}

/** The id was used for something else. */
function clientOrderIdTaken(): Answer {
  return refusal(
    GATEWAY_CODES.clientOrderIdTaken,
    'clientOrderId (client_orderid) was used before with other content. Ask for its status, or choose a new id.',
  )
}

/** What is to be paid; a request that moves no money names neither. */
export function moneyOf(request: {
  readonly amount?: string | undefined
  readonly currency?: string | undefined
}): Opening['money'] {
  const { amount, currency } = request
  return amount === undefined || currency === undefined ? undefined : { amount, currency }
}

/** A merchant who sends data of the customer's browser takes the customer through 3DS themselves. */
export function threeDsOf(request: { readonly browserInfo?: boolean | undefined }): OrderPages['threeDs'] {
  return request.browserInfo === true ? 'server' : 'redirect'
}

/** The fields of opening requests that may be stored; each request has some of them. */
type Kept = OrderPayer &
  OrderAddresses & {
    readonly merchantData?: string | undefined
    readonly orderDesc?: string | undefined
    readonly preferredLanguage?: string | undefined
  }

/** What is stored of a request besides its card. */
export function orderDetails(request: Kept): OrderDetails {
  const { email, phone, firstName, lastName, merchantData, orderDesc, preferredLanguage } = request
  const { redirectUrl, redirectSuccessUrl, redirectFailUrl, serverCallbackUrl, notifyUrl } = request
  return {
    payer: { email, phone, firstName, lastName },
    addresses: { redirectUrl, redirectSuccessUrl, redirectFailUrl, serverCallbackUrl, notifyUrl },
    merchantData,
    orderDesc,
    preferredLanguage,
  }
}

/**
 * Refuses an address that could never be called, since the merchant would not learn the outcome, and one to which the browser
 * would carry a password.
 */
export function wrongAddress(addresses: OrderAddresses, rules: AddressRules): Answer | undefined {
  const { serverCallbackUrl, notifyUrl, redirectUrl, redirectSuccessUrl, redirectFailUrl } = addresses
  return (
    wrongCallback('serverCallbackUrl (server_callback_url)', serverCallbackUrl, rules) ??
    wrongCallback('notifyUrl (notify_url)', notifyUrl, rules) ??
    wrongReturn('redirectUrl (redirect_url)', redirectUrl) ??
    wrongReturn('redirectSuccessUrl (redirect_success_url)', redirectSuccessUrl) ??
    wrongReturn('redirectFailUrl (redirect_fail_url)', redirectFailUrl)
  )
}

function wrongCallback(field: string, url: string | undefined, { sandbox }: AddressRules): Answer | undefined {
  if (url === undefined) return undefined
  const issue = callbackAddressIssue(url, { sandbox })
  return issue === undefined ? undefined : refused(field, ADDRESS_RULES[issue])
}

function wrongReturn(field: string, url: string | undefined): Answer | undefined {
  return url !== undefined && holdsUser(url) ? refused(field, ADDRESS_RULES.userinfo) : undefined
}

function refused(field: string, rule: string): Answer {
  return refusal(GATEWAY_CODES.invalidRequest, `${field} ${rule}.`)
}

/**
 * The acknowledgement of the request that opened an order: a repeat gets the very same (gaps part 13). It has the address of
 * the hosted form, or of the gateway's pages if the customer will authenticate there (interface part 2).
 */
export function acknowledged(order: StoredOrder, { profile: { baseUrl } }: Pick<Service, 'profile'>): Answer {
  const { clientOrderId, orderId, endpointId, details } = order
  const { serialNumber } = openingOperation(order)
  const names = { serialNumber, clientOrderId, orderId, endpointId }
  const { pages } = details
  if (pages?.form !== undefined) return formReply({ ...names, redirectUrl: baseUrl + formPath(pages) })
  const redirectUrl = pages?.threeDs === 'redirect' ? baseUrl + threeDsPath(pages) : undefined
  return asyncReply({ ...names, redirectUrl })
}
