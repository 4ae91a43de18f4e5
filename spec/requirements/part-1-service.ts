import type { Requirement } from '../requirement.ts'

/** Part 1 of the specification: what the service does. */
export const service: readonly Requirement[] = [
  {
    id: 'S1-01',
    part: '1',
    origin: 'stated',
    text: 'Paths are relative to {base_url}.',
  },
  {
    id: 'S1-02',
    part: '1',
    origin: 'stated',
    text: 'The service is a payment processing gateway for merchants. A merchant calls it over HTTP, server to server.',
  },
  {
    id: 'S1-03',
    part: '1',
    origin: 'stated',
    text: 'A Sale is authorization and capture in one request.',
  },
  {
    id: 'S1-04',
    part: '1',
    origin: 'stated',
    text: 'A Preauth reserves funds, which are then captured or voided.',
  },
  {
    id: 'S1-05',
    part: '1',
    origin: 'stated',
    text: 'Verify a card with a zero-amount authorization (account verification).',
  },
  {
    id: 'S1-06',
    part: '1',
    origin: 'stated',
    text: 'Return funds (return for Sale or Capture, void or cancel for an authorization).',
  },
  {
    id: 'S1-07',
    part: '1',
    origin: 'stated',
    text: 'Tokenize a card into a card reference and charge it later (rebill).',
  },
  {
    id: 'S1-08',
    part: '1',
    origin: 'stated',
    text: 'Create recurring payment subscriptions.',
  },
  {
    id: 'S1-09',
    part: '1',
    origin: 'stated',
    text: 'Pay out funds to cards, bank accounts, e-wallets or other destinations.',
  },
  {
    id: 'S1-10',
    part: '1',
    origin: 'stated',
    text: 'Payout includes a two-step payout (check, then pay) and payout by phone through a fast payment system.',
  },
  {
    id: 'S1-11',
    part: '1',
    origin: 'stated',
    text: 'Transfer funds card to card.',
  },
  {
    id: 'S1-12',
    part: '1',
    origin: 'stated',
    text: 'Run 3-D Secure result uploads (3DS 1.0.2 and 3DS 2.x).',
  },
  {
    id: 'S1-13',
    part: '1',
    origin: 'stated',
    text: 'Query the status of a transaction.',
  },
  {
    id: 'S1-14',
    part: '1',
    origin: 'stated',
    text:
      'In hosted-form variants the service collects card or destination data on its own page and returns a ' +
      'redirect address for the customer. These variants keep the merchant out of card-data compliance scope.',
  },
  {
    id: 'S1-15',
    part: '1',
    origin: 'stated',
    text:
      'Most operations are asynchronous. The immediate response acknowledges the request, and the final outcome is ' +
      'fetched with the status operation or delivered to a callback address (`server_callback_url`).',
  },
  {
    id: 'S1-16',
    part: '1',
    origin: 'stated',
    text: 'For 3DS Sale the customer is redirected through `redirect_url` to the issuer and back.',
  },
]
