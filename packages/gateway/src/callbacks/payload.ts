import { callbackControlTerms, type Pair, type Profile, type Secret, serializeForm } from '@tallystick/core'
import { shownStatus, writeCallback } from '@tallystick/core/internal'
import { signControl } from '@tallystick/signing'
import type { Endpoint } from '../merchants/endpoint.ts'
import { majorUnits, NO_CURRENCY } from '../orders/amounts.ts'
import { openingOperation, ruledOrder, upTo } from '../orders/operations.ts'
import type { StoredOperation, StoredOrder } from '../orders/order.ts'
import { shownOutcome, shownReferences } from '../orders/shown-order.ts'

interface CallbackPayload {
  readonly order: StoredOrder
  /** The operation whose outcome is reported. */
  readonly operation: StoredOperation
  readonly controlKey: Secret
  readonly profile: Profile
  /** The order's, if it is configured still. */
  readonly endpoint: Pick<Endpoint, 'descriptor' | 'callbackAmount' | 'unknownAs'> | undefined
  /** As of when the outcome is reported. Default: when the operation came to its status. */
  readonly at?: number | undefined
}

interface Call extends CallbackPayload {
  /** Where the merchant wants to be called. */
  readonly address: string
}

/**
 * The address of a callback with its documented parameters and control (gaps part 6). If the address would be too long it
 * leaves out `merchantdata`, which no control covers, and then other texts. It matters more that the merchant learns the
 * outcome, and the status request returns these texts, except the merchant's own comment.
 */
export function callbackUrl({ address, ...notice }: Call): string {
  let pairs = payloadPairs(notice)
  let url = withQuery(address, pairs)
  for (const text of LEFT_OUT) {
    if (lengthAsSent(url) <= LONGEST_URL) break
    pairs = pairs.filter(([name]) => name !== text)
    url = withQuery(address, pairs)
  }
  return url
}

/**
 * Free texts, in the order in which they are left out. They may be long: a character of three bytes takes nine characters in
 * an address.
 */
const LEFT_OUT = [
  'merchantdata',
  'error_message',
  'processor-credit-rrn',
  'processor-credit-arn',
  'processor-debit-arn',
  'processor-auth-credit-code',
  'processor-batch-id',
  'terminal-id',
  'auth-response-code',
  'reason-code',
  'processor-rrn',
  'name',
  'card-holder-name',
  'descriptor',
  'comment',
  'email',
  'phone',
]

/** The merchant's part may have characters that are encoded only when the address is called. */
function lengthAsSent(url: string): number {
  return URL.parse(url)?.href.length ?? url.length
}

/** In bytes. Servers commonly accept it: nginx and Apache 8 KiB for the request line, Node 16 KiB for all headers. */
const LONGEST_URL = 8000

function withQuery(address: string, pairs: readonly Pair[]): string {
  const [beforeFragment = ''] = address.split('#', 1)
  return `${beforeFragment}${beforeFragment.includes('?') ? '&' : '?'}${serializeForm(pairs)}`
}

/** The parameters that report an operation, with their control: to the callback address, and through the browser. */
export function payloadPairs({
  order,
  operation,
  controlKey,
  profile,
  endpoint,
  at,
}: CallbackPayload): readonly Pair[] {
  const { orderId, clientOrderId } = order
  const shown = shownStatus(ruledOrder(upTo(order, operation)), at)
  const { transactionType } = shown
  const status = shown.status === 'unknown' ? (endpoint?.unknownAs ?? shown.status) : shown.status
  const control = signControl({
    terms: callbackControlTerms({ status, orderId, clientOrderId }),
    key: controlKey.reveal(),
  })
  const parameters = {
    ...parametersOf(
      order,
      { ...operation, amount: amountIn(endpoint, order, operation), outcome: shownOutcome(operation, shown) },
      profile,
    ),
    status,
    type: transactionType,
    descriptor: endpoint?.descriptor,
    control,
  }
  return writeCallback(parameters)
}

/** The operation's: of a partial reversal, what was refunded. A classic installation may need the payment's in every callback. */
function amountIn(endpoint: CallbackPayload['endpoint'], order: StoredOrder, { amount }: StoredOperation): bigint {
  return endpoint?.callbackAmount === 'payment' ? openingOperation(order).amount : amount
}

function parametersOf(order: StoredOrder, operation: StoredOperation, profile: Profile) {
  const { amount, outcome } = operation
  const { orderId, clientOrderId, terms, details } = order
  const { card, payer, merchantData } = details
  const money =
    terms.currency === NO_CURRENCY
      ? {}
      : { amount: majorUnits(amount, terms.currency, profile), currency: terms.currency }
  return {
    orderId,
    clientOrderId,
    ...money,
    errorCode: outcome.errorCode,
    errorMessage: outcome.errorMessage,
    name: [payer.firstName, payer.lastName].filter(Boolean).join(' ') || undefined,
    email: payer.email,
    phone: payer.phone,
    ...shownReferences(operation),
    lastFourDigits: card?.lastFourDigits,
    bin: card?.bin,
    cardType: card?.cardType,
    cardholderName: card?.cardholderName,
    comment: outcome.comment,
    merchantData,
  }
}
