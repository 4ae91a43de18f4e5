import type { Requirement } from '../requirement.ts'

/** Part 13 of the gaps: decisions where no public source was found. */
export const decisions: readonly Requirement[] = [
  {
    id: 'G13-01',
    part: '13',
    origin: 'filled in',
    text: 'The names of the 3DS CReq and PaReq reply fields stand in one table, and a profile can replace them.',
  },
  {
    id: 'G13-02',
    part: '13',
    origin: 'filled in',
    text: '`period` is day, week, month or year, `interval` 1 to 366 of them, both or neither; dates are YYYY-MM-DD.',
  },
  {
    id: 'G13-03',
    part: '13',
    origin: 'filled in',
    text:
      'Callback retries follow the fixed schedule of 30 attempts with 20 % jitter, none later than 14 days after ' +
      'the first.',
  },
  {
    id: 'G13-04',
    part: '13',
    origin: 'filled in',
    text:
      'OAuth timestamps are accepted within 300 s; a nonce is unique per consumer key and timestamp, at most 128 ' +
      'bytes, and is burned only after the signature is verified.',
  },
  {
    id: 'G13-05',
    part: '13',
    origin: 'filled in',
    text: "Error codes are text or number; the gateway's own codes are a table in the catalogue.",
  },
  {
    id: 'G13-06',
    part: '13',
    origin: 'filled in',
    text: 'The control string uses two decimals for every currency; ISO 4217 exponents are a profile option.',
  },
  {
    id: 'G13-07',
    part: '13',
    origin: 'filled in',
    text: 'Gateway limits: 64 KiB body, 200 pairs, 30 s to answer. Client limits: 10 s to connect, 70 s in all.',
  },
  {
    id: 'G13-08',
    part: '13',
    origin: 'filled in',
    text: 'pan-eligibility send gets an AsyncResponse; the outcome comes by status.',
  },
  {
    id: 'G13-09',
    part: '13',
    origin: 'filled in',
    text: 'Payout through the fast payment system: `phone` or `receiver_phone`, `bank_name` optional.',
  },
  {
    id: 'G13-10',
    part: '13',
    origin: 'filled in',
    text:
      '`client_orderid` is unique per merchant: a repeat with the same content gets the first reply, other content ' +
      'a validation error.',
  },
  {
    id: 'G13-11',
    part: '13',
    origin: 'filled in',
    text: 'Order ids of the gateway are 15 digits without a leading zero; `serial-number` is a UUID.',
  },
  {
    id: 'G13-12',
    part: '13',
    origin: 'filled in',
    text:
      'The gateway sends `redirect-url` in the sale reply, and `redirect-to` in status, when a 3DS redirect is ' +
      'needed.',
  },
  {
    id: 'G13-13',
    part: '13',
    origin: 'filled in',
    text: 'The client reads `redirect_url`, `redirect-url` and `redirect-to` as one field.',
  },
  {
    id: 'G13-14',
    part: '13',
    origin: 'filled in',
    text:
      'Card info names: `bin`, `last-four-digits`, `expire-month`, `expire-year`, `card-printed-name`, ' +
      '`card-type`, `masked-pan`.',
  },
  {
    id: 'G13-15',
    part: '13',
    origin: 'filled in',
    text: 'sale and preauth take `cardrefid` or `card_recurring_payment_id` in place of the card fields.',
  },
  {
    id: 'G13-16',
    part: '13',
    origin: 'filled in',
    text: 'The simulator approves a charge that carries no CVV.',
  },
  {
    id: 'G13-17',
    part: '13',
    origin: 'filled in',
    text:
      'An order settles `settleAfter` (24 h) after its final status; a hold is released `holdFor` (7 days) after ' +
      'it was made.',
  },
  {
    id: 'G13-18',
    part: '13',
    origin: 'filled in',
    text:
      'Void cancels an uncaptured authorization in full, or what a partial capture left; before settlement it ' +
      'reverses a sale or capture in full.',
  },
  {
    id: 'G13-19',
    part: '13',
    origin: 'filled in',
    text: 'A return of a preauth order with nothing captured is a full cancel, otherwise a reversal of captured funds.',
  },
  {
    id: 'G13-20',
    part: '13',
    origin: 'filled in',
    text:
      'Status shows the last operation of an order: `transaction-type`, its `status`, `amount` as it is now and ' +
      '`initial-amount` as asked for.',
  },
  {
    id: 'G13-21',
    part: '13',
    origin: 'filled in',
    text:
      'After payout-check status is processing with `order-stage` `payout_checked`, approved only after ' +
      'payout-pay.',
  },
  {
    id: 'G13-22',
    part: '13',
    origin: 'filled in',
    text: 'A chargeback is possible only against captured or sold funds.',
  },
  {
    id: 'G13-23',
    part: '13',
    origin: 'filled in',
    text:
      'Each recurring charge is an order of its own, `<profile id>-<number of the period>`, with callback and ' +
      '`recurring-payment-id` in status.',
  },
  {
    id: 'G13-24',
    part: '13',
    origin: 'filled in',
    text: 'Wallet payout: `destination_wallet` (128 characters) and `destination_wallet_type`.',
  },
  {
    id: 'G13-25',
    part: '13',
    origin: 'filled in',
    text:
      '3DS notification addresses of the gateway: `/3ds/method/{token}`, `/3ds/challenge/{token}`, ' +
      '`/3ds/pares/{token}`.',
  },
  {
    id: 'G13-26',
    part: '13',
    origin: 'filled in',
    text: 'OpenAPI: `info.version` is `dev`.',
  },
  {
    id: 'G13-27',
    part: '13',
    origin: 'filled in',
    text: '`endpointId` is kept as text or bigint, never as a float.',
  },
  {
    id: 'G13-28',
    part: '13',
    origin: 'filled in',
    text: 'The `Endpoint` field of the recurring operations is optional; the path decides.',
  },
  {
    id: 'G13-29',
    part: '13',
    origin: 'filled in',
    text: 'A compatibility option of the gateway allows repeats of `client_orderid`.',
  },
]
