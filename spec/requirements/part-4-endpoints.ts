import type { Requirement } from '../requirement.ts'

/** Part 4 of the specification: common rules, one entry for each of the 26 operations, and what they do. */
export const endpoints: readonly Requirement[] = [
  {
    id: 'S4-01',
    part: '4',
    origin: 'stated',
    text: 'Method is POST.',
  },
  {
    id: 'S4-02',
    part: '4',
    origin: 'stated',
    text: 'The path ends with `/{endpointId}` (integer, int64, required).',
  },
  {
    id: 'S4-03',
    part: '4',
    origin: 'stated',
    text: 'The request header `Accept` is required and must be `application/vnd.pay+json`.',
  },
  {
    id: 'S4-04',
    part: '4',
    origin: 'stated',
    text: 'The request body is `application/x-www-form-urlencoded`.',
  },
  {
    id: 'S4-05',
    part: '4',
    origin: 'stated',
    text: 'The request body is required.',
  },
  {
    id: 'S4-06',
    part: '4',
    origin: 'stated',
    text: 'A success response is 200 with content type `application/vnd.pay+json`.',
  },
  {
    id: 'S4-07',
    part: '4',
    origin: 'stated',
    text: 'A validation failure is 400 with ValidationErrorResponse.',
  },
  {
    id: 'S4-08',
    part: '4',
    origin: 'stated',
    text: 'A server failure is 500 with ServerErrorResponse.',
  },
  {
    id: 'S4-09',
    part: '4',
    origin: 'stated',
    text:
      'The Control column gives the signing formula. OAuth means the request is signed with an OAuth header ' +
      'instead.',
  },
  {
    id: 'S4-10',
    part: '4',
    origin: 'stated',
    text:
      '/api/3ds/v1/upload-cres-result/{endpointId}: TDS_UPLOAD_CRES_RESULT, TdsCResResultRequest, AsyncResponse; ' +
      'control login + client-order-id + orderid + key.',
  },
  {
    id: 'S4-11',
    part: '4',
    origin: 'stated',
    text:
      '/api/3ds/v1/upload-method-url-result/{endpointId}: TDS_UPLOAD_METHOD_URL_RESULT, TdsMethodUrlResultRequest, ' +
      'AsyncResponse; control login + client-order-id + orderid + key.',
  },
  {
    id: 'S4-12',
    part: '4',
    origin: 'stated',
    text:
      '/api/3ds/v1/upload-pares-result/{endpointId}: TDS_UPLOAD_PARES_RESULT, TdsPaResResultRequest, ' +
      'AsyncResponse; control login + client-order-id + orderid + key.',
  },
  {
    id: 'S4-13',
    part: '4',
    origin: 'stated',
    text: 'upload-cres-result uploads the CRes returned by the issuer at the end of a 3DS 2.x challenge.',
  },
  {
    id: 'S4-14',
    part: '4',
    origin: 'stated',
    text:
      'upload-method-url-result uploads the result of the 3DS Method step (browser fingerprinting in a hidden ' +
      'frame).',
  },
  {
    id: 'S4-15',
    part: '4',
    origin: 'stated',
    text: 'upload-method-url-result carries fingerprint fields and `threeDSCompInd`.',
  },
  {
    id: 'S4-16',
    part: '4',
    origin: 'stated',
    text: 'upload-pares-result uploads the PaRes of a 3DS 1.0.2 flow.',
  },
  {
    id: 'S4-17',
    part: '4',
    origin: 'stated',
    text:
      '/api/v2/sale/{endpointId}: SALE, SaleRequest, AsyncResponse; control endpointId + client_orderid + amount + ' +
      'email + key.',
  },
  {
    id: 'S4-18',
    part: '4',
    origin: 'stated',
    text:
      '/api/v2/sale-form/{endpointId}: SALEFORM, SaleFormRequest, AsyncCheckoutFormRedirect; control endpointId + ' +
      'client_orderid + amount + email + key.',
  },
  {
    id: 'S4-19',
    part: '4',
    origin: 'stated',
    text:
      '/api/v2/preauth/{endpointId}: PREAUTH, AuthRequest, AsyncResponse; control endpointId + client_orderid + ' +
      'amount + email + key.',
  },
  {
    id: 'S4-20',
    part: '4',
    origin: 'stated',
    text:
      '/api/v2/preauth-form/{endpointId}: PREAUTHFORM, AuthFormRequest, AsyncCheckoutFormRedirect; control ' +
      'endpointId + client_orderid + amount + email + key.',
  },
  {
    id: 'S4-21',
    part: '4',
    origin: 'stated',
    text:
      '/api/v2/capture/{endpointId}: CAPTURE, CaptureRequest, AsyncResponse; control login + client_orderid + ' +
      'orderid + amount + currency + key.',
  },
  {
    id: 'S4-22',
    part: '4',
    origin: 'stated',
    text:
      '/api/v2/void/{endpointId}: VOID, VoidRequest, AsyncResponse; control login + client_orderid + orderid + ' +
      'key.',
  },
  {
    id: 'S4-23',
    part: '4',
    origin: 'stated',
    text:
      '/api/v2/return/{endpointId}: RETURN, ReturnRequest, AsyncResponse; control login + client_orderid + orderid ' +
      '+ amount + currency + key.',
  },
  {
    id: 'S4-24',
    part: '4',
    origin: 'stated',
    text:
      '/api/v2/account-verification/{endpointId}: ACCOUNT_VERIFICATION, AccountVerificationRequest, AsyncResponse; ' +
      'control endpointId + client_orderid + email + key.',
  },
  {
    id: 'S4-25',
    part: '4',
    origin: 'stated',
    text:
      '/api/v2/account-verification-form/{endpointId}: ACCOUNT_VERIFICATION_FORM, AccountVerificationFormRequest, ' +
      'AsyncCheckoutFormRedirect; control endpointId + client_orderid + email + key.',
  },
  {
    id: 'S4-26',
    part: '4',
    origin: 'stated',
    text: '/api/v2/payment-form/{endpointId}: PAYMENTFORM, PaymentFormRequest, AsyncCheckoutFormRedirect.',
  },
  {
    id: 'S4-27',
    part: '4',
    origin: 'stated',
    text:
      '/api/v2/create-card-ref/{endpointId}: CARDREF, CreateCardRefRequest, CardRefAsyncResponse; control login + ' +
      'client_orderid + orderid + key.',
  },
  {
    id: 'S4-28',
    part: '4',
    origin: 'stated',
    text: '/api/v2/get-card-info/{endpointId}: CARDINFO, GetCardInfoRequest, CardInfoAsyncResponse.',
  },
  {
    id: 'S4-29',
    part: '4',
    origin: 'stated',
    text:
      '/api/v2/make-rebill/{endpointId}: REBILL, RebillRequest, AsyncResponse; control login + client_orderid + ' +
      'cardrefid + amount + currency + key.',
  },
  {
    id: 'S4-30',
    part: '4',
    origin: 'stated',
    text:
      '/api/v2/status/{endpointId}: STATUS, StatusRequest, StatusResponse; control login + client_orderid + ' +
      'orderid (empty string when absent) + key.',
  },
  {
    id: 'S4-31',
    part: '4',
    origin: 'stated',
    text: 'Sale is authorization and capture in one request, for immediate delivery.',
  },
  {
    id: 'S4-32',
    part: '4',
    origin: 'stated',
    text: 'Sale supports non-3DS and 3DS flows.',
  },
  {
    id: 'S4-33',
    part: '4',
    origin: 'stated',
    text: 'The final outcome of a sale is delivered through the status operation or `server_callback_url`.',
  },
  {
    id: 'S4-34',
    part: '4',
    origin: 'stated',
    text:
      'sale-form: the synchronous response contains the redirect address. The merchant redirects the customer ' +
      'there to enter card details.',
  },
  {
    id: 'S4-35',
    part: '4',
    origin: 'stated',
    text: 'payment-form is a universal hosted form, used when neither sale-form nor preauth-form fits.',
  },
  {
    id: 'S4-36',
    part: '4',
    origin: 'stated',
    text: 'account-verification issues a zero-amount authorization and does not charge the card.',
  },
  {
    id: 'S4-37',
    part: '4',
    origin: 'stated',
    text: 'create-card-ref turns cardholder data into a `card-ref-id` for later rebill or sale-by-reference calls.',
  },
  {
    id: 'S4-38',
    part: '4',
    origin: 'stated',
    text: 'get-card-info returns BIN, brand, masked PAN and expiration for a stored card identified by `cardrefid`.',
  },
  {
    id: 'S4-39',
    part: '4',
    origin: 'stated',
    text: 'make-rebill charges a stored card when the cardholder is absent.',
  },
  {
    id: 'S4-40',
    part: '4',
    origin: 'stated',
    text: 'status identifies the transaction by `orderid`, or by `client_orderid` when `orderid` is unavailable.',
  },
  {
    id: 'S4-41',
    part: '4',
    origin: 'stated',
    text: 'status is used for polling and for reading the final outcome after a callback.',
  },
  {
    id: 'S4-42',
    part: '4',
    origin: 'stated',
    text: '`amount` in control formulas that contain it is written in cents (a value of 10.00 is 1000).',
  },
  {
    id: 'S4-43',
    part: '4',
    origin: 'stated',
    text: '/api/v2/payout/{endpointId}: PAYOUT, PayoutRequest, AsyncResponse; OAuth HMAC-SHA1.',
  },
  {
    id: 'S4-44',
    part: '4',
    origin: 'stated',
    text: '/api/v2/payout-form/{endpointId}: PAYOUTFORM, PayoutFormRequest, AsyncCheckoutFormRedirect.',
  },
  {
    id: 'S4-45',
    part: '4',
    origin: 'stated',
    text:
      '/api/v4/create-card-ref/{endpointId}: CARDREF_V4, CreateCardRefV4Request, CardRefV4AsyncResponse; OAuth ' +
      'RSA-SHA256.',
  },
  {
    id: 'S4-46',
    part: '4',
    origin: 'stated',
    text:
      '/api/v4/create-recurring-payment/{endpointId}: CREATE_RP_V4, RecurringPaymentForCreation, ' +
      'CreateRecurringPaymentResponse; OAuth RSA-SHA256.',
  },
  {
    id: 'S4-47',
    part: '4',
    origin: 'stated',
    text: '/api/v4/payout-check/{endpointId}: PAYOUT_V4_CHECK, PayoutCheckRequest, AsyncResponse; OAuth RSA-SHA256.',
  },
  {
    id: 'S4-48',
    part: '4',
    origin: 'stated',
    text: '/api/v4/payout-pay/{endpointId}: second step of two-step payout.',
  },
  {
    id: 'S4-49',
    part: '4',
    origin: 'stated',
    text:
      'Payout sends funds from the merchant account to a card, bank account, e-wallet or other destination, ' +
      'including a fast payment system by phone.',
  },
  {
    id: 'S4-50',
    part: '4',
    origin: 'stated',
    text: "payout-form collects the recipient's destination data on a hosted form. It has the semantics of payout.",
  },
  {
    id: 'S4-51',
    part: '4',
    origin: 'stated',
    text: 'v4 create-card-ref has the semantics of v2 create-card-ref.',
  },
  {
    id: 'S4-52',
    part: '4',
    origin: 'stated',
    text: 'create-recurring-payment defines the schedule (`period`, `interval`), the amount and customer details.',
  },
  {
    id: 'S4-53',
    part: '4',
    origin: 'stated',
    text: 'create-recurring-payment returns `recurring-payment-id` for later process and update calls.',
  },
  {
    id: 'S4-54',
    part: '4',
    origin: 'stated',
    text:
      'payout-check validates the recipient and registers the payout without releasing funds. payout-pay then ' +
      'confirms and executes that payout.',
  },
  {
    id: 'S4-55',
    part: '4',
    origin: 'stated',
    text:
      '/api/v2/pan-eligibility/send/{endpointId}: OAuth HMAC-SHA1; known parameters `client-order-id`, ' +
      '`sending-card-ref-id`.',
  },
  {
    id: 'S4-56',
    part: '4',
    origin: 'stated',
    text: '/api/v4/transfer/{endpointId}: OAuth RSA-SHA256; known parameters are the transfer fields listed in part 2.',
  },
  {
    id: 'S4-57',
    part: '4',
    origin: 'stated',
    text:
      '/api/v4/transfer-by-ref/{endpointId}: OAuth RSA-SHA256 (v4 path); known parameters `client-order-id`, ' +
      '`amount`, `currency`, `order_desc`, `destination-card-no`.',
  },
]
