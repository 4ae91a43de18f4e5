import type { Requirement } from '../requirement.ts'

/** Part 3 of the gaps: request fields. */
export const requestGaps: readonly Requirement[] = [
  {
    id: 'G3-01',
    part: '3',
    origin: 'filled in',
    text: 'Amounts in bodies are in major units with a dot, at most 10 characters.',
  },
  {
    id: 'G3.1-01',
    part: '3.1',
    origin: 'filled in',
    text: 'Payer group of sale, preauth, their forms and account verification, with necessity and maximum lengths.',
  },
  {
    id: 'G3.1-02',
    part: '3.1',
    origin: 'filled in',
    text:
      '`state` is required for US, CA and AU; `country` has two letters; `birthday` is YYYYMMDD; `ipaddress` is ' +
      'IPv4 or IPv6.',
  },
  {
    id: 'G3.1-03',
    part: '3.1',
    origin: 'filled in',
    text: '`redirect_url` is required for hosted forms.',
  },
  {
    id: 'G3.1-04',
    part: '3.1',
    origin: 'filled in',
    text:
      '`notify_url` is notified of later reversals and chargebacks, and of the original transaction if there is no ' +
      '`server_callback_url`.',
  },
  {
    id: 'G3.1-05',
    part: '3.1',
    origin: 'filled in',
    text: '`merchant_data` comes back as `merchantdata` in status and callback.',
  },
  {
    id: 'G3.1-06',
    part: '3.1',
    origin: 'filled in',
    text:
      'Card group: `card_printed_name` 128, `credit_card_number` of 12 to 19 digits (the sources say to 19 or to 20; no ' +
      'card has more than 19, ISO/IEC 7812), `expire_month` 1 to 12, `expire_year` of four digits or two, `cvv2` 3 or 4 ' +
      'digits.',
  },
  {
    id: 'G3.1-07',
    part: '3.1',
    origin: 'filled in',
    text: 'Browser group: optional `customer_browser_*` fields of sale, preauth, transfer and verification.',
  },
  {
    id: 'G3.1-08',
    part: '3.1',
    origin: 'filled in',
    text:
      'With `customer_browser_info` true the browser fields are required; depth, screen, zone and Java only if ' +
      'JavaScript is on.',
  },
  {
    id: 'G3.2-01',
    part: '3.2',
    origin: 'filled in',
    text: 'sale and preauth: payer group, `amount`, `currency` and card group; the browser group is optional.',
  },
  {
    id: 'G3.2-02',
    part: '3.2',
    origin: 'filled in',
    text: 'sale-form and preauth-form: as sale and preauth, without card fields.',
  },
  {
    id: 'G3.2-03',
    part: '3.2',
    origin: 'filled in',
    text: 'payment-form: control endpointId + client_orderid + amount + email + key, fields of sale-form.',
  },
  {
    id: 'G3.2-04',
    part: '3.2',
    origin: 'filled in',
    text: 'account-verification: payer and card group without amount and currency; its form takes no card fields.',
  },
  {
    id: 'G3.2-05',
    part: '3.2',
    origin: 'filled in',
    text:
      'capture: `login`, `client_orderid`, `orderid`; `amount` and `currency` are optional and signed only if ' +
      'sent.',
  },
  {
    id: 'G3.2-06',
    part: '3.2',
    origin: 'filled in',
    text:
      'void: `login`, `client_orderid`, `orderid` and `comment`; an amount and currency that are sent are not ' +
      'signed.',
  },
  {
    id: 'G3.2-07',
    part: '3.2',
    origin: 'filled in',
    text:
      'return: `login`, `client_orderid`, `orderid` and `comment`; `amount` only with `currency`, both signed only ' +
      'if sent.',
  },
  {
    id: 'G3.2-08',
    part: '3.2',
    origin: 'filled in',
    text: 'create-card-ref, v2 and v4: `login`, `client_orderid` and the `orderid` of the first payment.',
  },
  {
    id: 'G3.2-09',
    part: '3.2',
    origin: 'filled in',
    text: 'get-card-info: `login` and `cardrefid`; control login + cardrefid + key.',
  },
  {
    id: 'G3.2-10',
    part: '3.2',
    origin: 'filled in',
    text:
      'make-rebill: `login`, `client_orderid`, `cardrefid`, `amount`, `currency`; optional `enumerate_amounts` and ' +
      '`recurrent_scenario` (`REGULAR` or `IRREGULAR`).',
  },
  {
    id: 'G3.2-11',
    part: '3.2',
    origin: 'filled in',
    text: 'status: `login`, `client_orderid`, optional `orderid` and `by-request-sn`, which is not signed.',
  },
  {
    id: 'G3.2-12',
    part: '3.2',
    origin: 'filled in',
    text:
      'payout and payout-form: `client_orderid`, `amount`, `currency` and no `control`; payout names one ' +
      'destination, a card or a bank account.',
  },
  {
    id: 'G3.2-13',
    part: '3.2',
    origin: 'filled in',
    text: 'pan-eligibility send: `sending-card-ref-id`, or `sending-card-number` with printed name and expiration.',
  },
  {
    id: 'G3.2-14',
    part: '3.2',
    origin: 'filled in',
    text: 'A return of more than the initial amount is refused, and so is a partial cancel of a preauth.',
  },
  {
    id: 'G3.2-15',
    part: '3.2',
    origin: 'filled in',
    text: 'A first payment must be final before a card reference is made of it.',
  },
  {
    id: 'G3.3-01',
    part: '3.3',
    origin: 'filled in',
    text: '3DS uploads: `orderid` 128, `login` 20 and `client-order-id` 128, all required.',
  },
  {
    id: 'G3.3-02',
    part: '3.3',
    origin: 'filled in',
    text: 'upload-cres-result: `cRes` to 4096 characters at least, base64 of a CRes message.',
  },
  {
    id: 'G3.3-03',
    part: '3.3',
    origin: 'filled in',
    text: 'upload-pares-result: `paRes` to 10240 characters at least, with an optional `md`.',
  },
  {
    id: 'G3.3-04',
    part: '3.3',
    origin: 'filled in',
    text: 'upload-method-url-result: `threeDSServerTransID` 36 and the browser fields by their EMV names.',
  },
  {
    id: 'G3.4-01',
    part: '3.4',
    origin: 'filled in',
    text:
      'create-recurring-payment: `rp_card_type` `SRC` or `DST`, `client-orderid`, card and payer fields with ' +
      'hyphens; name and expiration are required for `SRC`.',
  },
  {
    id: 'G3.4-02',
    part: '3.4',
    origin: 'filled in',
    text: 'A recurring payment takes exactly one of `amount`, `amount-from` with `amount-to`, or `amount-sequence`.',
  },
  {
    id: 'G3.4-03',
    part: '3.4',
    origin: 'filled in',
    text:
      'create-recurring-payment is synchronous. A profile without `interval` and `period` is charged on request ' +
      'only, and any profile stops at its `finish-date`.',
  },
  {
    id: 'G3.4-04',
    part: '3.4',
    origin: 'filled in',
    text:
      'payout-check: `client_orderid`, `amount`, `currency`, destination. payout-pay: `login`, `client_orderid` ' +
      'and the `orderid` of the check; it gets an AsyncResponse.',
  },
  {
    id: 'G3.4-05',
    part: '3.4',
    origin: 'filled in',
    text:
      'transfer: from a card, a `card_recurring_payment_id` or a deposit (`deposit2card`) to a card or a ' +
      '`destination_card_recurring_payment_id`.',
  },
  {
    id: 'G3.4-06',
    part: '3.4',
    origin: 'filled in',
    text: 'transfer-by-ref: the login is the OAuth consumer key only, not in the body.',
  },
]
