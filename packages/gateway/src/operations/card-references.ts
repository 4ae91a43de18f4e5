import { decideStoreCard, GATEWAY_CODES } from '@tallystick/core'
import type { Processor, RequestContext } from '../context.ts'
import { type Answer, refusal, success } from '../http/reply.ts'
import { ruledOrder } from '../orders/operations.ts'
import type { StoredOrder } from '../orders/order.ts'
import { type CardRole, type ReferenceName, referenceKind, type SealedCard } from '../vault/sealed-card.ts'
import { noSuchCard } from './cards.ts'
import { noSuchOrder, refusedByRule } from './modifications.ts'

/** Operations on stored cards (interface part 4). */

/** A repeat gets the same reference: no look-up of a reference is documented, so a merchant who lost the reply asks again. */
const processCreateCardRef: Processor<'createCardRef'> = async (request, context) => {
  const found = await paidCard(request, context)
  if ('httpStatus' in found) return found
  const cardRefId = await reference('card', found, context)
  const { serialNumber } = context
  return success('createCardRef', { type: 'create-card-ref-response', serialNumber, status: 'approved', cardRefId })
}

/** As v2, with the tokens that stand for the card elsewhere (gaps part 4). */
const processCreateCardRefV4: Processor<'createCardRefV4'> = async (request, context) => {
  const found = await paidCard(request, context)
  if ('httpStatus' in found) return found
  return success('createCardRefV4', {
    type: 'create-card-ref-response',
    serialNumber: context.serialNumber,
    cardRefId: await reference('card', found, context),
    recurringPaymentId: await reference('recurring-payment', found, context),
    uniqueCardRefId: digitsOf(context.service.vault.digest(`card of anyone ${found.fingerprint}`)),
    ...(await destinationReferences(found.order, context)),
  })
}

async function destinationReferences({ orderId, details }: StoredOrder, context: RequestContext) {
  const cardId = details.destination?.cardId
  if (cardId === undefined) return {}
  const card = { cardId, role: 'receives', orderId } as const
  return {
    destinationCardRefId: await reference('card', card, context),
    destinationRecurringPaymentId: await reference('recurring-payment', card, context),
  }
}

/** A card and what it did in an order. */
interface CardInOrder extends Pick<SealedCard, 'cardId'> {
  readonly role: CardRole
  readonly orderId: string
}

interface PaidCard extends CardInOrder, Pick<SealedCard, 'fingerprint'> {
  readonly order: StoredOrder
}

/** The card of an order that was paid with it, or paid out to it; the first payment must be final (gaps part 3.2). */
async function paidCard(
  { clientOrderId, orderId }: { readonly clientOrderId: string; readonly orderId: string },
  { service: { store }, merchant }: RequestContext,
): Promise<PaidCard | Answer> {
  const order = await store.findOrder({ login: merchant.login, clientOrderId, orderId })
  if (order === undefined) return noSuchOrder()
  const decision = decideStoreCard(ruledOrder(order))
  if (!decision.allowed) return refusedByRule(decision)
  const payer = order.details.card?.cardId
  const cardId = payer ?? order.details.destination?.cardId
  const card = cardId === undefined ? undefined : await store.card(cardId)
  if (card === undefined) return refusal(GATEWAY_CODES.noSuchCard, 'No card took part in this order.')
  const role = payer === undefined ? 'receives' : 'pays'
  return { cardId: card.cardId, role, orderId: order.orderId, fingerprint: card.fingerprint, order }
}

/**
 * The merchant's reference to a card in its role, always the same one. It is 15 digits of a keyed digest; if another card has
 * these already, of the next one.
 */
async function reference(
  name: ReferenceName,
  { cardId, role, orderId }: CardInOrder,
  context: RequestContext,
): Promise<string> {
  const kind = referenceKind(name, role)
  const { merchant, at } = context
  const { vault, store } = context.service
  for (let attempt = 1; ; attempt++) {
    const referenceId = digitsOf(vault.digest(JSON.stringify([kind, merchant.login, cardId, attempt])))
    const created = { referenceId, login: merchant.login, cardId, kind, createdAt: at, orderId }
    await context.commit({ references: [created] })
    const stored = await store.cardReference(merchant.login, referenceId)
    if (stored?.cardId === cardId && stored.kind === kind) return referenceId
  }
}

/** 15 digits (gaps part 13) of a hexadecimal digest, which begin as those of an order do. */
function digitsOf(digest: string): string {
  return `9${String(BigInt(`0x${digest}`) % 100_000_000_000_000n).padStart(14, '0')}`
}

const processGetCardInfo: Processor<'getCardInfo'> = async ({ cardRefId }, context) => {
  const { merchant, serialNumber } = context
  const { store, vault } = context.service
  const stored = await store.cardReference(merchant.login, cardRefId)
  const isCard = stored?.kind === 'card' || stored?.kind === 'receiving-card'
  const card = isCard ? await store.card(stored.cardId) : undefined
  if (card === undefined) return noSuchCard()
  const { bin, lastFourDigits, cardType, cardholderName, expireMonth, expireYear } = card
  const maskedPan = vault.open(card).masked
  return success('getCardInfo', {
    type: 'get-card-info-response',
    serialNumber,
    bin,
    lastFourDigits,
    cardType,
    maskedPan,
    cardPrintedName: cardholderName,
    expireMonth,
    expireYear,
  })
}

/** Operations on stored cards, by their keys. */
export const cardReferences = {
  createCardRef: processCreateCardRef,
  createCardRefV4: processCreateCardRefV4,
  getCardInfo: processGetCardInfo,
}
