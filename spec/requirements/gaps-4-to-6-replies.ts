import type { Requirement } from '../requirement.ts'

/** Parts 4 to 6 of the gaps: reply fields, states, callbacks and the browser return. */
export const replyGaps: readonly Requirement[] = [
  {
    id: 'G4-01',
    part: '4',
    origin: 'filled in',
    text:
      'AsyncResponse: `type` `async-response`, `serial-number`, `merchant-order-id`, `paynet-order-id`, ' +
      '`end-point-id`; on failure `error-message`, `error-code`.',
  },
  {
    id: 'G4-02',
    part: '4',
    origin: 'filled in',
    text: 'AsyncCheckoutFormRedirect: `type` `async-form-response`, ids and `redirect-url`.',
  },
  {
    id: 'G4-03',
    part: '4',
    origin: 'filled in',
    text:
      'CardRefAsyncResponse: `status`, `card-ref-id`, `serial-number`. CardRefV4AsyncResponse: `type` ' +
      '`create-card-ref-response`, `card-ref-id`, `unq-card-ref-id`, `recurring-payment-id`, `dst-card-ref-id`, ' +
      '`dst-recurring-payment-id`.',
  },
  {
    id: 'G4-04',
    part: '4',
    origin: 'filled in',
    text:
      'CardInfoAsyncResponse: `type` `get-card-info-response`; a masked PAN that is not sent is `bin`, six ' +
      'asterisks and `last-four-digits`.',
  },
  {
    id: 'G4-05',
    part: '4',
    origin: 'filled in',
    text:
      'CreateRecurringPaymentResponse: `type` `create-recurring-payment-response`, `serial-number`, `status`, ' +
      '`recurring-payment-id`.',
  },
  {
    id: 'G4-06',
    part: '4',
    origin: 'filled in',
    text:
      'ValidationErrorResponse has type `validation-error`, ServerErrorResponse `error`: `serial-number`, ' +
      '`merchant-order-id` if known, `error-message`, `error-code`.',
  },
  {
    id: 'G4-07',
    part: '4',
    origin: 'filled in',
    text:
      'StatusResponse: `type` `status-response` with identity, state and money fields; a field without a value is ' +
      'not sent.',
  },
  {
    id: 'G4-08',
    part: '4',
    origin: 'filled in',
    text: 'StatusResponse: card, destination, payer and processor fields by their kebab-case names.',
  },
  {
    id: 'G4-09',
    part: '4',
    origin: 'filled in',
    text:
      'StatusResponse, 3DS fields: `html`, `redirect-to`, `tds-status` (also `tds_status`), ' +
      '`tds-method-url-frame-*`, `verified-3d-status`, `verified-rsc-status`.',
  },
  {
    id: 'G5-01',
    part: '5',
    origin: 'filled in',
    text: '`approved`, `declined`, `filtered` and `error` are final; `approved` alone is a success.',
  },
  {
    id: 'G5-02',
    part: '5',
    origin: 'filled in',
    text: '`processing` is not final. A reply without `status` is processing, unless its type is an error.',
  },
  {
    id: 'G5-03',
    part: '5',
    origin: 'filled in',
    text:
      'Ask for status every 3 to 5 s for 5 minutes, then every 5 to 10 minutes for an hour, then wait for the ' +
      'callback.',
  },
  {
    id: 'G5-04',
    part: '5',
    origin: 'filled in',
    text:
      'Transaction types: sale, preauth, capture, cancel, reversal, transfer, payout, account verification, ' +
      'chargeback, fraud, dispute; others are kept as text.',
  },
  {
    id: 'G5-05',
    part: '5',
    origin: 'filled in',
    text: '`order-stage` is open text, such as `sale_approved` or `sale_failed`, read in either case.',
  },
  {
    id: 'G5-06',
    part: '5',
    origin: 'filled in',
    text:
      'A sale moves from processing to approved, declined, error, filtered or unknown, and from unknown to any ' +
      'final status.',
  },
  {
    id: 'G5-07',
    part: '5',
    origin: 'filled in',
    text: 'Captures together stay within the preauth, and reversals within what was taken.',
  },
  {
    id: 'G5-08',
    part: '5',
    origin: 'filled in',
    text: 'During a 3DS stop the status stays processing and carries `html`, `redirect-to` or `tds-status`.',
  },
  {
    id: 'G6-01',
    part: '6',
    origin: 'filled in',
    text: 'A callback is a GET with query parameters; a receiver reads POST as well.',
  },
  {
    id: 'G6-02',
    part: '6',
    origin: 'filled in',
    text:
      'A callback to `server_callback_url` goes out when the original transaction reaches a final status, and only ' +
      'then.',
  },
  {
    id: 'G6-03',
    part: '6',
    origin: 'filled in',
    text: 'HTTP 200 acknowledges a callback.',
  },
  {
    id: 'G6-04',
    part: '6',
    origin: 'filled in',
    text: 'Callbacks go to ports 80 and 8080 for http, 443 and 8443 for https.',
  },
  {
    id: 'G6-05',
    part: '6',
    origin: 'filled in',
    text: 'Equal status, type, orderid and client_orderid make a duplicate callback.',
  },
  {
    id: 'G6-06',
    part: '6',
    origin: 'filled in',
    text:
      'Callback parameters: `status`, `merchant_order`, `client_orderid`, `orderid`, `type`, `amount`, `currency` ' +
      'and others, hyphens and underscores mixed, `control`.',
  },
  {
    id: 'G6-07',
    part: '6',
    origin: 'filled in',
    text:
      'Callback control: SHA-1 of status + orderid + client_orderid + key; `merchant_order` stands for a missing ' +
      '`client_orderid`.',
  },
  {
    id: 'G6-08',
    part: '6',
    origin: 'filled in',
    text: '`type` of a callback is open: every transaction type is accepted.',
  },
  {
    id: 'G6-09',
    part: '6',
    origin: 'filled in',
    text: 'The callback control does not cover amount, type and error fields: the outcome is confirmed by status.',
  },
  {
    id: 'G6-10',
    part: '6',
    origin: 'filled in',
    text:
      'The browser returns to `redirect_url` by POST whatever the outcome, with the same control, before or ' +
      'after the callback. It proves nothing: status decides.',
  },
]
