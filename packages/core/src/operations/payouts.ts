import { AsyncCheckoutFormRedirect, AsyncResponse } from '../replies/async.ts'
import {
  PayoutCheckRequest,
  PayoutFormRequest,
  PayoutPayRequest,
  PayoutRequest,
  TransferByRefRequest,
  TransferRequest,
} from '../requests/payouts.ts'
import { defineOperation, oauth } from './operation.ts'

/** Payouts and transfers (interface part 4). */

/** Sends funds of the merchant out, in one step. */
export const payout = defineOperation({
  name: 'PAYOUT',
  path: '/api/v2/payout',
  request: PayoutRequest,
  reply: AsyncResponse,
  auth: oauth('HMAC-SHA1'),
  effect: 'moves-money',
  meaning: 'Sends funds from the merchant to a card, a bank account, a wallet or a phone.',
})

/** A payout whose destination is asked for on the gateway's page. Path and method are by profile (conflict C5). */
export const payoutForm = defineOperation({
  name: 'PAYOUTFORM',
  path: '/api/v2/payout-form',
  otherPaths: ['/api/v4/payout-form'],
  request: PayoutFormRequest,
  reply: AsyncCheckoutFormRedirect,
  auth: oauth('by-profile', 'filled in'),
  effect: 'moves-money',
  kind: 'form',
  meaning: 'Gives the address of a hosted page that takes the destination of a payout.',
})

/** The first step of a payout in two: nothing is released. */
export const payoutCheck = defineOperation({
  name: 'PAYOUT_V4_CHECK',
  path: '/api/v4/payout-check',
  request: PayoutCheckRequest,
  reply: AsyncResponse,
  auth: oauth('RSA-SHA256'),
  effect: 'moves-money',
  meaning: 'Validates the receiver and registers the payout without releasing funds.',
})

/** The second step. The specification shows neither its name nor its authentication; all of v4 uses RSA. */
export const payoutPay = defineOperation({
  name: 'PAYOUT_V4_PAY',
  nameOrigin: 'filled in',
  path: '/api/v4/payout-pay',
  request: PayoutPayRequest,
  reply: AsyncResponse,
  auth: oauth('RSA-SHA256', 'filled in'),
  effect: 'moves-money',
  meaning: 'Confirms and executes a payout that was checked.',
})

/** Card to card, or deposit to card. The specification shows it in a signing example, without a name. */
export const transfer = defineOperation({
  name: 'TRANSFER_V4',
  nameOrigin: 'filled in',
  path: '/api/v4/transfer',
  request: TransferRequest,
  reply: AsyncResponse,
  auth: oauth('RSA-SHA256'),
  effect: 'moves-money',
  meaning: 'Moves funds from a card or a deposit to a card.',
})

/** To a card or a stored card. The specification shows it in a signing example, without a name. */
export const transferByRef = defineOperation({
  name: 'TRANSFER_BY_REF_V4',
  nameOrigin: 'filled in',
  path: '/api/v4/transfer-by-ref',
  request: TransferByRefRequest,
  reply: AsyncResponse,
  auth: oauth('RSA-SHA256'),
  effect: 'moves-money',
  meaning: 'Moves funds to a card or a stored card.',
})
