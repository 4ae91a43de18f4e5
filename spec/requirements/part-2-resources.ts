import type { Requirement } from '../requirement.ts'

/** Part 2 of the specification: resources and their fields. */
export const resources: readonly Requirement[] = [
  {
    id: 'S2-01',
    part: '2',
    origin: 'stated',
    text: 'Endpoint: `endpointId` (int64), a path parameter in every operation.',
  },
  {
    id: 'S2-02',
    part: '2',
    origin: 'stated',
    text: '`endpointId` may also denote an endpoint group, depending on the operation.',
  },
  {
    id: 'S2-03',
    part: '2',
    origin: 'stated',
    text: 'Merchant: `login` (merchant login). It is also the OAuth consumer key.',
  },
  {
    id: 'S2-04',
    part: '2',
    origin: 'stated',
    text: '`merchant_control_key` is a shared secret that is never sent.',
  },
  {
    id: 'S2-05',
    part: '2',
    origin: 'stated',
    text:
      "Transaction (order): `orderid` is the service's own identifier. `client_orderid` is the merchant's " +
      'identifier.',
  },
  {
    id: 'S2-06',
    part: '2',
    origin: 'stated',
    text: '`client_orderid` is written `client-order-id` in 3DS upload operations and in the pan-eligibility example.',
  },
  {
    id: 'S2-07',
    part: '2',
    origin: 'stated',
    text: 'Transaction (order): `amount`, `currency`, `email`. Also `redirect_url` and `server_callback_url`.',
  },
  {
    id: 'S2-08',
    part: '2',
    origin: 'stated',
    text:
      'Card reference: `card-ref-id` (request name `cardrefid`) is created by create-card-ref. It is used by ' +
      'rebill and get-card-info.',
  },
  {
    id: 'S2-09',
    part: '2',
    origin: 'stated',
    text: 'Card info covers BIN, brand, masked PAN and expiration.',
  },
  {
    id: 'S2-10',
    part: '2',
    origin: 'stated',
    text:
      'Recurring payment: `recurring-payment-id` is returned by create-recurring-payment. The schedule is defined ' +
      'by `period` and `interval`, plus an amount and customer details.',
  },
  {
    id: 'S2-11',
    part: '2',
    origin: 'stated',
    text:
      '3DS method result: browser fingerprint fields and `threeDSCompInd` with values `Y` (completed), `N` (not ' +
      'completed within 10 seconds), `U` (method URL not provided).',
  },
  {
    id: 'S2-12',
    part: '2',
    origin: 'stated',
    text:
      'Named request schemas (22): TdsCResResultRequest, TdsMethodUrlResultRequest, TdsPaResResultRequest, ' +
      'AccountVerificationFormRequest, AccountVerificationRequest, CaptureRequest, CreateCardRefRequest, ' +
      'GetCardInfoRequest, RebillRequest, PaymentFormRequest, PayoutFormRequest, PayoutRequest, AuthFormRequest, ' +
      'AuthRequest, ReturnRequest, SaleFormRequest, SaleRequest, StatusRequest, VoidRequest, ' +
      'CreateCardRefV4Request, RecurringPaymentForCreation, PayoutCheckRequest.',
  },
  {
    id: 'S2-13',
    part: '2',
    origin: 'stated',
    text:
      'Named response schemas (9): AsyncResponse, AsyncCheckoutFormRedirect, CardRefAsyncResponse, ' +
      'CardInfoAsyncResponse, CardRefV4AsyncResponse, CreateRecurringPaymentResponse, StatusResponse, ' +
      'ValidationErrorResponse, ServerErrorResponse.',
  },
  {
    id: 'S2-14',
    part: '2',
    origin: 'stated',
    text: 'The sale description names `redirect_url` as a field of the sale response for 3DS.',
  },
  {
    id: 'S2-15',
    part: '2',
    origin: 'stated',
    text: 'The recurring-payment creation returns `recurring-payment-id`.',
  },
  {
    id: 'S2-16',
    part: '2',
    origin: 'stated',
    text:
      'Further field names that appear in transfer and payout examples: shape only; types are strings unless the ' +
      'name suggests otherwise.',
  },
  {
    id: 'S2-17',
    part: '2',
    origin: 'stated',
    text:
      'Transfer: `amount`, `currency`, `client_orderid`, `order_desc`, `ipaddress`, `credit_card_number`, `cvv2`, ' +
      '`expire_month`, `expire_year`, `card_printed_name`, `card_recurring_payment_id`, `deposit2card` (boolean ' +
      'text), `destination-card-no`, `destination-card-ref-id`, `destination_card_recurring_payment_id`, ' +
      '`redirect_url`, `redirect_success_url`, `redirect_fail_url`, `server_callback_url`, `merchant_data`.',
  },
  {
    id: 'S2-18',
    part: '2',
    origin: 'stated',
    text:
      'Payer and receiver personal fields: `first_name`, `middle_name`, `last_name`, `ssn`, `birthday`, ' +
      '`address1`, `city`, `state`, `zip_code`, `country`, `phone`, `cell_phone`, `email`, `purpose`, ' +
      '`receiver_first_name`, `receiver_middle_name`, `receiver_last_name`, `receiver_phone`, `receiver_resident`, ' +
      '`receiver_identity_document_series`, `receiver_identity_document_number`, `receiver_identity_document_id`, ' +
      '`receiver_address1`, `receiver_city`.',
  },
  {
    id: 'S2-19',
    part: '2',
    origin: 'stated',
    text: 'A transfer uses either `destination-card-no` or `destination-card-ref-id`.',
  },
  {
    id: 'S2-20',
    part: '2',
    origin: 'stated',
    text: 'Bank payout: `account_number`, `bank_name`, `bank_branch`, `amount`, `currency`, `client_orderid`.',
  },
  {
    id: 'S2-21',
    part: '2',
    origin: 'stated',
    text: 'Pan-eligibility send: `client-order-id`, `sending-card-ref-id`.',
  },
]
