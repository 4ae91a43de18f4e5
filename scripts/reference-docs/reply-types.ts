import { isFinalStatus, type KnownStatus, STATUSES } from '../../packages/core/src/index.ts'
import { code, list, table } from '../markdown.ts'

/** The `type` of each reply (rules G4-01 to G4-09 and G14 of `spec/requirements`). */
export const TYPE_OF: Readonly<Record<string, string>> = {
  AsyncResponse: 'async-response',
  AsyncCheckoutFormRedirect: 'async-form-response',
  CardRefAsyncResponse: 'create-card-ref-response',
  CardInfoAsyncResponse: 'get-card-info-response',
  StatusResponse: 'status-response',
  CardRefV4AsyncResponse: 'create-card-ref-response',
  CreateRecurringPaymentResponse: 'create-recurring-payment-response',
  ProcessRecurringPaymentResponse: 'process-recurring-payment-response',
  UpdateRecurringPaymentResponse: 'update-recurring-payment-response',
  RecurringPaymentRowsResponse: 'process-recurring-payment-response',
  RecurringPaymentResponse: 'get-recurring-payment-response',
  ValidationErrorResponse: 'validation-error',
  ServerErrorResponse: 'error',
}

const MEANING_OF: Readonly<Record<KnownStatus, string>> = {
  approved: 'It is done.',
  declined: 'The issuer or the acquirer refused it.',
  filtered: 'The control of fraud refused it.',
  error: 'It was declined, and something went wrong: tell the support of the gateway.',
  processing:
    'Ask again. A customer may have to confirm it by [3-D Secure](../three-ds.md). A `payoutCheck` stays here, with the ' +
    '`order-stage` `payout_checked` once it can be paid.',
  unknown: 'Ask again: it may still become any other. It is no refusal.',
}

/** How a reply is told from another, and an outcome from a beginning. */
export function typesAndStatuses(): readonly string[] {
  return [
    '## Types and HTTP statuses',
    list([
      'A reply is a flat JSON object in which every value is a text, ids and amounts included.',
      'Judge by its `type`. `validation-error`: the request was refused, and made nothing. `error` with 403: the signature is ' +
        'refused, and the request made nothing either. Any other `error`, a page of a proxy, or no reply: nobody knows, so ask for the ' +
        'status. Anything else was accepted.',
      'The HTTP status is 200 for what was accepted, 400 for a field that is wrong (or 404, 405, 413, 415), 403 for a signature, 500 or 503 for a ' +
        'failure. Gateways of the classic format answer 200 in place of 400.',
      'An `error-message` is for people. The `error-code` of our gateway is [in a table](../../packages/gateway/README.md#error-codes).',
    ]),
    '## Statuses of an order',
    table(
      ['Status', 'Final', 'Meaning'],
      STATUSES.map((status) => [code(status), isFinalStatus(status) ? 'yes' : 'no', MEANING_OF[status]]),
    ),
    'A status that is not in this table is not final. The status is that of the last operation of the order: after a return, ' +
      '`transaction-type` is `reversal`, and `declined` says that the return was declined, not the payment.',
  ]
}
