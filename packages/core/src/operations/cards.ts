import { AsyncResponse } from '../replies/async.ts'
import { CardInfoAsyncResponse, CardRefAsyncResponse, CardRefV4AsyncResponse } from '../replies/cards.ts'
import {
  CreateCardRefRequest,
  CreateCardRefV4Request,
  GetCardInfoRequest,
  PanEligibilitySendRequest,
} from '../requests/cards.ts'
import { control, defineOperation, filledInControl, oauth } from './operation.ts'

/** Operations about stored cards (interface part 4). */

/** Turns the card of a paid order into a reference. */
export const createCardRef = defineOperation({
  name: 'CARDREF',
  path: '/api/v2/create-card-ref',
  request: CreateCardRefRequest,
  reply: CardRefAsyncResponse,
  auth: control('login', 'clientOrderId', 'orderId'),
  effect: 'stores-card',
  meaning: 'Turns cardholder data into a reference for later charges.',
})

/** Asks for what may be shown of a stored card. The formula is not shown; the family documents it. */
export const getCardInfo = defineOperation({
  name: 'CARDINFO',
  path: '/api/v2/get-card-info',
  request: GetCardInfoRequest,
  reply: CardInfoAsyncResponse,
  auth: filledInControl('login', 'cardRefId'),
  effect: 'reads',
  meaning: 'Tells the BIN, the brand, the masked number and the expiry of a stored card.',
})

/** The v2 operation of the same name, signed by RSA. */
export const createCardRefV4 = defineOperation({
  name: 'CARDREF_V4',
  path: '/api/v4/create-card-ref',
  request: CreateCardRefV4Request,
  reply: CardRefV4AsyncResponse,
  auth: oauth('RSA-SHA256'),
  effect: 'stores-card',
  meaning: 'Turns cardholder data into a reference for later charges.',
})

/** Asks whether a card can send; the outcome follows by status (gaps part 13). The specification shows it in a signing example, without a name. */
export const panEligibilitySend = defineOperation({
  name: 'PAN_ELIGIBILITY_SEND',
  nameOrigin: 'filled in',
  path: '/api/v2/pan-eligibility/send',
  request: PanEligibilitySendRequest,
  reply: AsyncResponse,
  auth: oauth('HMAC-SHA1'),
  effect: 'reads',
  meaning: 'Checks whether a card can send a transfer.',
})
