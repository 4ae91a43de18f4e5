import type { PaymentError, ReplyValues, RequestInput } from '@tallystick/core'
import { answerOrError } from '../call/errors.ts'
import type { OperationMethods } from '../methods.ts'
import type { CallOptions, NotSent, Rejected, UnknownWithoutStatus } from '../result.ts'

/** A stored card, and what may be shown of it. */
export interface StoredCard {
  readonly outcome: 'accepted'
  /** Keep it: rebills and transfers name the card by it. */
  readonly cardRefId: string
  /** Brand, masked number and expiry; or why they could not be read. The reference is valid either way. */
  readonly card: ReplyValues<'getCardInfo'> | PaymentError
  readonly error: undefined
}

/** Stores the card of an approved order, then reads what may be shown of it. */
export async function storeCard(
  client: Pick<OperationMethods, 'createCardRef' | 'getCardInfo'>,
  order: RequestInput<'createCardRef'>,
  options: CallOptions = {},
): Promise<StoredCard | Rejected | NotSent | UnknownWithoutStatus> {
  const result = await client.createCardRef(order, options)
  if (result.outcome !== 'accepted') return result
  const { cardRefId } = result.reply
  const card = await answerOrError(() => client.getCardInfo({ cardRefId }, options))
  return { outcome: 'accepted', cardRefId, card, error: undefined }
}
