import { parseOpenForm } from '../codec/form.ts'
import { field, filledIn, optional, required } from '../models/field.ts'
import { modelsOf, type ValuesOf } from '../models/model.ts'
import { anyText, openText } from '../models/reply-formats.ts'
import { STATUSES, type Status } from '../statuses.ts'

/** What a gateway sends to `server_callback_url` and through the browser to `redirect_url` (gaps part 6). */

const origin = filledIn('6')

const callbackField = (wireName: string, meaning: string, ...aliases: readonly string[]) =>
  field(wireName, anyText, origin, meaning, aliases)

/** No source lists it for callbacks: under its name in the status reply (gaps part 13). */
const asInStatus = (wireName: string, meaning: string) => field(wireName, anyText, filledIn('13'), meaning)

/** What the fields of a callback hold, as `RequestFields` does for requests. */
export interface CallbackFields {
  readonly status: Status
  readonly orderId: string
  readonly clientOrderId: string
  readonly control: string
  readonly type: string
  readonly amount: string
  readonly currency: string
  readonly descriptor: string
  readonly errorCode: string
  readonly errorMessage: string
  readonly name: string
  readonly email: string
  readonly phone: string
  readonly approvalCode: string
  readonly lastFourDigits: string
  readonly bin: string
  readonly cardType: string
  readonly partialReversal: string
  readonly partialCapture: string
  readonly reasonCode: string
  readonly processorRrn: string
  readonly processorTxId: string
  readonly processorCreditRrn: string
  readonly processorDebitArn: string
  readonly processorCreditArn: string
  readonly processorAuthCreditCode: string
  readonly processorBatchId: string
  readonly terminalId: string
  readonly authResponseCode: string
  readonly processingDate: string
  readonly acquirerProcessingDate: string
  readonly cardholderName: string
  readonly comment: string
  readonly rapidaBalance: string
  readonly merchantData: string
}

/**
 * A notice about an order. Its control covers only `status`, `orderId` and `clientOrderId`: the amount, the type and
 * the error are not signed. A callback is a hint; the status is the truth.
 */
export const CallbackNotice = modelsOf<CallbackFields>()({
  name: 'CallbackNotice',
  origin: 'filled in',
  meaning: 'Tells that an order reached a status.',
  fields: () => ({
    status: required(field('status', openText(...STATUSES), origin, 'The status of the transaction.')),
    orderId: required(callbackField('orderid', "The gateway's own id of the order.")),
    clientOrderId: required(callbackField('client_orderid', "The merchant's own id of the order.", 'merchant_order')),
    control: required(callbackField('control', 'SHA-1 over status, orderid, client_orderid and the key.')),
    type: optional(callbackField('type', 'The type of the transaction, such as sale. Not signed.')),
    amount: optional(callbackField('amount', 'The amount in major units. Not signed.')),
    currency: optional(callbackField('currency', 'The currency. Not signed.')),
    descriptor: optional(callbackField('descriptor', "What the customer reads on the card's statement.")),
    errorCode: optional(callbackField('error_code', 'What went wrong, as a number or a text.', 'error-code')),
    errorMessage: optional(callbackField('error_message', 'What went wrong, in words.', 'error-message')),
    name: optional(callbackField('name', 'The name of the payer.')),
    email: optional(callbackField('email', "The payer's e-mail address.")),
    phone: optional(callbackField('phone', "The payer's telephone number.")),
    approvalCode: optional(callbackField('approval-code', "The issuer's approval code.")),
    lastFourDigits: optional(callbackField('last-four-digits', 'The last four digits of the card number.')),
    bin: optional(callbackField('bin', 'The first six digits of the card number.')),
    cardType: optional(callbackField('card-type', 'The brand of the card.')),
    partialReversal: optional(callbackField('gate-partial-reversal', 'Whether parts can be returned.')),
    partialCapture: optional(callbackField('gate-partial-capture', 'Whether parts can be captured.')),
    reasonCode: optional(callbackField('reason-code', "The acquirer's code of the refusal.")),
    processorRrn: optional(callbackField('processor-rrn', 'The retrieval reference number.')),
    processorTxId: optional(callbackField('processor-tx-id', "The acquirer's id of the transaction.")),
    processorCreditRrn: optional(asInStatus('processor-credit-rrn', 'The retrieval reference number of the credit.')),
    processorDebitArn: optional(asInStatus('processor-debit-arn', 'The acquirer reference number of the debit.')),
    processorCreditArn: optional(asInStatus('processor-credit-arn', 'The acquirer reference number of the credit.')),
    processorAuthCreditCode: optional(asInStatus('processor-auth-credit-code', 'The approval code of the credit.')),
    processorBatchId: optional(asInStatus('processor-batch-id', 'The batch that the acquirer settles it with.')),
    terminalId: optional(asInStatus('terminal-id', "The acquirer's terminal.")),
    authResponseCode: optional(asInStatus('auth-response-code', "The issuer's response code.")),
    processingDate: optional(
      asInStatus('paynet-processing-date', 'When the gateway processed it, such as "2015-04-09 17:14:26 MSK".'),
    ),
    acquirerProcessingDate: optional(asInStatus('acquirer-processing-date', 'When the acquirer processed it.')),
    cardholderName: optional(callbackField('card-holder-name', 'The name printed on the card.')),
    comment: optional(callbackField('comment', 'A comment of the operation.')),
    rapidaBalance: optional(callbackField('rapida-balance', 'A balance that one acquirer reports.')),
    merchantData: optional(callbackField('merchantdata', 'The merchant_data of the request.')),
  }),
})

/** The fields of a callback, read. */
export type Callback = ValuesOf<typeof CallbackNotice>

/** The terms of a callback's control in their order; the merchant's key comes after them. */
export function callbackControlTerms(
  callback: Pick<Callback, 'status' | 'orderId' | 'clientOrderId'>,
): readonly string[] {
  return [callback.status, callback.orderId, callback.clientOrderId]
}

/** A callback adds up to 27 parameters, and its reader takes 100. */
const MOST_OF_THE_SHOP = 70

/**
 * What is wrong with the query of a callback's address, if its callbacks would be refused for ever: a name that a callback adds
 * itself (also with brackets, which frameworks read as a list of that name) would come twice, and a careful receiver refuses that; or it
 * has too many parameters. All other names are free for the shop's own use, as often as it likes.
 */
export function callbackQueryIssue(address: string): string | undefined {
  const query = /^[^#?]*\?([^#]*)/.exec(address)?.[1] ?? ''
  if (query === '') return undefined
  const pairs = parseOpenForm(query, { maxPairs: query.length, maxBytes: query.length }, () => false)
  if (pairs.length > MOST_OF_THE_SHOP) return `must have at most ${MOST_OF_THE_SHOP} parameters in its query`
  const given = new Set(pairs.map(([name]) => name.trim().replace(/\[.*/s, '')))
  const taken = Object.values(CallbackNotice.fields).flatMap(({ wireName, aliases }) => [wireName, ...aliases])
  const name = taken.find((each) => given.has(each))
  return name === undefined ? undefined : `must not have ${name} in its query: a callback adds it`
}
