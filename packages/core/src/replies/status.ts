import * as reply from '../fields/reply.ts'
import { type Field, field, filledIn, optional, required } from '../models/field.ts'
import { anyText } from '../models/reply-formats.ts'
import { defineReply } from './reply-fields.ts'

/**
 * The reply to status (gaps part 4). Most fields are present only when they have a value. A status that is absent
 * means `processing`, unless the type says otherwise (gaps part 5).
 */

const known = reply.replyField

/** A name that no source gives and we chose (gaps part 13), so that a profile can respell it. */
function decided(wireName: string, meaning: string): Field<string, string> {
  return field(wireName, anyText, filledIn('13'), meaning)
}

const identity = () => ({
  type: required(reply.type),
  serialNumber: optional(reply.serialNumber),
  clientOrderId: optional(reply.clientOrderId),
  orderId: optional(reply.orderId),
  endpointId: optional(reply.endpointId),
  receiptId: optional(reply.replyId('receipt-id', 'The id of the receipt page, a UUID.')),
  byRequestSn: optional(reply.replyId('by-request-sn', 'The serial number that the status was asked by.')),
})

const state = () => ({
  status: required(reply.statusOrProcessing),
  errorMessage: optional(reply.errorMessage),
  errorCode: optional(reply.errorCode),
  transactionType: optional(
    reply.replyId(
      'transaction-type',
      'What kind of operation this is: sale, preauth, capture, cancel, reversal, payout.',
    ),
  ),
  orderStage: optional(reply.replyId('order-stage', 'How far the order has come, such as sale_approved.')),
  reasonCode: optional(known('reason-code', "The acquirer's code of the refusal.")),
  approvalCode: optional(known('approval-code', "The issuer's approval code.")),
  authResponseCode: optional(known('auth-response-code', "The issuer's response code.")),
})

const money = () => ({
  amount: optional(known('amount', 'What is held or kept now, in major units with a dot.')),
  currency: optional(reply.replyId('currency', 'The currency by its ISO 4217 letters.')),
  initialAmount: optional(known('initial-amount', 'What was asked for, in major units with a dot.')),
  partialReversal: optional(known('gate-partial-reversal', 'Whether parts can be returned: enabled or disabled.')),
  partialCapture: optional(known('gate-partial-capture', 'Whether parts can be captured: enabled or disabled.')),
  descriptor: optional(known('descriptor', "What the customer reads on the card's statement.")),
  originalGateDescriptor: optional(known('original-gate-descriptor', 'The descriptor of the gate itself.')),
})

const card = () => ({
  cardType: optional(reply.cardType),
  bin: optional(reply.bin),
  lastFourDigits: optional(reply.lastFourDigits),
  name: optional(known('name', 'The name of the payer.')),
  cardholderName: optional(known('cardholder-name', 'The name printed on the card.', 'card-holder-name')),
  cardExpireMonth: optional(known('card-exp-month', 'The month in which the card expires.')),
  cardExpireYear: optional(known('card-exp-year', 'The year in which the card expires.')),
  cardHashId: optional(known('card-hash-id', 'One id for each card number at this gateway.')),
  cardRefId: optional(reply.cardRefId),
  recurringPaymentId: optional(reply.recurringPaymentId),
  bankName: optional(known('bank-name', 'The bank that issued the card; may be UNKNOWN.')),
  cardCountry: optional(known('card-country-alpha-three-code', 'The country of the issuer, three letters.')),
  productCode: optional(known('ips-src-payment-product-code', "The scheme's code of the card product.")),
  productName: optional(known('ips-src-payment-product-name', "The scheme's name of the card product.")),
  paymentTypeCode: optional(known('ips-src-payment-type-code', "The scheme's code of the payment type.")),
  paymentTypeName: optional(known('ips-src-payment-type-name', "The scheme's name of the payment type.")),
})

const destination = () => ({
  destinationHashId: optional(known('destination-hash-id', 'One id for each destination at this gateway.')),
  destinationBankName: optional(known('dest-bank-name', 'The bank of the destination.')),
  destinationBin: optional(known('dest-bin', 'The first six digits of the card that receives.')),
  destinationLastFourDigits: optional(
    known('dest-last-four-digits', 'The last four digits of the card that receives.'),
  ),
  destinationCardType: optional(known('dest-card-type', 'The brand of the card that receives.')),
})

const payer = () => ({
  email: optional(known('email', "The payer's e-mail address.")),
  phone: optional(known('phone', "The payer's telephone number.")),
  firstName: optional(known('first-name', "The payer's first name.")),
  lastName: optional(known('last-name', "The payer's last name.")),
})

const processor = () => ({
  terminalId: optional(known('terminal-id', "The acquirer's terminal.")),
  processorTxId: optional(known('processor-tx-id', "The acquirer's id of the transaction.")),
  processorRrn: optional(known('processor-rrn', 'The retrieval reference number.')),
  processorCreditRrn: optional(known('processor-credit-rrn', 'The retrieval reference number of the credit.')),
  processorCreditArn: optional(known('processor-credit-arn', 'The acquirer reference number of the credit.')),
  processorDebitArn: optional(known('processor-debit-arn', 'The acquirer reference number of the debit.')),
  processorAuthCreditCode: optional(known('processor-auth-credit-code', 'The approval code of the credit.')),
  processorBatchId: optional(decided('processor-batch-id', 'The batch that the acquirer settles it with.')),
  processingDate: optional(
    known('paynet-processing-date', 'When the gateway processed it, such as "2015-04-09 17:14:26 MSK".'),
  ),
  acquirerProcessingDate: optional(known('acquirer-processing-date', 'When the acquirer processed it.')),
})

const threeDs = () => ({
  html: optional(known('html', 'A page, URL-encoded, that takes the customer on.')),
  redirectTo: optional(
    reply.replyAddress('redirect-to', 'Where to send the customer on.', 'redirect-url', 'redirect_url'),
  ),
  tdsStatus: optional(known('tds-status', 'Which 3DS step is next.', 'tds_status')),
  methodUrl: optional(known('tds-method-url-frame-3ds-method-url', 'The address of the method frame.')),
  threeDsServerTransId: optional(known('tds-method-url-frame-3ds-server-trans-id', 'The id of the 3DS transaction.')),
  verified3dStatus: optional(known('verified-3d-status', 'How the authentication ended.')),
  verifiedRscStatus: optional(known('verified-rsc-status', 'How the random sum check ended.')),
  creqFormAcsUrl: optional(decided('tds-creq-form-acs-url', 'Where the browser posts the CReq.')),
  creqFormCreq: optional(decided('tds-creq-form-creq', 'The CReq, in base64url.')),
  creqFormSessionData: optional(
    decided('tds-creq-form-three-ds-session-data', 'The session data that goes with the CReq.'),
  ),
  pareqFormAcsUrl: optional(decided('tds-pareq-form-acs-url', 'Where the browser posts the PaReq.')),
  pareqFormPareq: optional(decided('tds-pareq-form-pareq', 'The PaReq, in base64.')),
  pareqFormMd: optional(decided('tds-pareq-form-md', 'The MD that goes with the PaReq.')),
})

const other = () => ({
  merchantData: optional(known('merchantdata', 'The merchant_data of the request.')),
  loyaltyBalance: optional(known('loyalty-balance', 'The balance of the loyalty account.')),
  loyaltyMessage: optional(known('loyalty-message', 'A message of the loyalty program.')),
  loyaltyBonus: optional(known('loyalty-bonus', 'What the payment earned.')),
  loyaltyProgram: optional(known('loyalty-program', 'The loyalty program.')),
})

export const StatusResponse = defineReply({
  name: 'StatusResponse',
  meaning: 'What became of an order: its last operation.',
  fields: () => ({
    ...identity(),
    ...state(),
    ...money(),
    ...card(),
    ...destination(),
    ...payer(),
    ...processor(),
    ...threeDs(),
    ...other(),
  }),
})
