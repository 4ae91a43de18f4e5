import { type Cvv, decideStoreCard, type Pan } from '@tallystick/core'
import { GATEWAY_CODES } from '@tallystick/core/internal'
import type { AcquirerCard } from '../acquirer/acquirer.ts'
import { openedCard } from '../acquirer/card.ts'
import type { Processor, RequestContext, Service } from '../context.ts'
import { type Answer, refusal, success, triedTooOften } from '../http/reply.ts'
import { DEFAULT_CHARGE_TIME } from '../merchants/endpoint-settings.ts'
import { ruledOrder } from '../orders/operations.ts'
import type { PastPayment, StoredOrder } from '../orders/order.ts'
import { paidFirst } from '../processing/execute.ts'
import { chargeId, isOver } from '../processing/next-charge.ts'
import type { RecurringPayment } from '../store/recurring-payment.ts'
import {
  type CardReference,
  type CardRole,
  type ReferenceName,
  referenceKind,
  type SealedCard,
} from '../vault/sealed-card.ts'
import { noSuchOrder, refusedByRule } from './modifications.ts'

/** The card of a request: the card itself, or a reference to a stored one. */
export interface CardSource {
  readonly cardNumber?: Pan | undefined
  readonly cardPrintedName?: string | undefined
  readonly expireMonth?: string | undefined
  readonly expireYear?: string | undefined
  readonly cvv2?: Cvv | undefined
  readonly cardRefId?: string | undefined
  readonly cardRecurringPaymentId?: string | undefined
}

/** A card for the acquirer, the vault and the order. */
export interface FoundCard {
  readonly card: AcquirerCard
  readonly sealed: SealedCard
  /** What was paid first with the stored card, if there was anything. */
  readonly firstPayment?: PastPayment | undefined
}

/**
 * The card itself, sealed, or the stored one that is referred to. Refused if the merchant has no such reference for this role, if its
 * recurring payment is over, or if the card was tried too often. A card that paid may receive as well; one that only received is
 * never charged.
 *
 * @param isCharged whether a charge follows, which tries the card
 */
export async function findCard(
  role: CardRole,
  source: CardSource,
  context: RequestContext,
  isCharged = role === 'pays',
): Promise<FoundCard | Answer> {
  const { cardNumber, cardPrintedName, expireMonth, expireYear, cvv2 } = source
  const { vault } = context.service
  if (cardNumber !== undefined) {
    const described = { pan: cardNumber, cardholderName: cardPrintedName, expireMonth, expireYear }
    const sealed = vault.seal(context.merchant.login, described)
    const tooOften = isCharged ? countTry(sealed, context) : undefined
    return (
      tooOften ?? {
        card: { pan: cardNumber, expireMonth, expireYear, cvv: cvv2, cardholderName: cardPrintedName },
        sealed,
      }
    )
  }
  const stored = await storedCard(role, source, context)
  if (stored === undefined) return noSuchCard()
  const tooOften = isCharged && cvv2 !== undefined ? countTry(stored.sealed, context) : undefined
  return tooOften ?? { ...stored, card: { ...openedCard(stored.sealed, context.merchant.login, vault), cvv: cvv2 } }
}

/**
 * Counts a try, or refuses it. The `customer_ip` of the request does not count: it is the merchant's word, and many send the address of their own server, which
 * would shut out all their customers.
 */
export function countTry(
  { fingerprint }: Pick<SealedCard, 'fingerprint'>,
  { takeTry, merchant }: RequestContext,
): Answer | undefined {
  const tooOften = takeTry({ login: merchant.login, fingerprint })
  return tooOften && triedTooOften(tooOften.afterSeconds)
}

async function storedCard(
  role: CardRole,
  { cardRefId, cardRecurringPaymentId }: CardSource,
  context: RequestContext,
): Promise<Pick<FoundCard, 'sealed' | 'firstPayment'> | undefined> {
  const { service, merchant } = context
  const { store } = service
  const name = cardRefId === undefined ? 'recurring-payment' : 'card'
  const referenceId = cardRefId ?? cardRecurringPaymentId
  if (referenceId === undefined) return undefined
  const reference = await store.cardReference(merchant.login, referenceId)
  const fits = reference?.kind === name || reference?.kind === referenceKind(name, role)
  if (!fits) return undefined
  // A token from `create-card-ref` belongs to no recurring payment: it has no end, and its card is never changed.
  const payment = name === 'recurring-payment' ? await store.recurringPaymentById(referenceId) : undefined
  if (payment !== undefined && hasEnded(payment, service)) return undefined
  const sealed = await store.card(payment?.cardId ?? reference.cardId)
  return sealed && { sealed, firstPayment: await firstPaymentOf(reference, payment, context) }
}

/**
 * A recurring payment is made from no order: the first approved charge of its schedule with its card is its first payment, which
 * each later charge keeps.
 */
export async function firstPaymentOf(
  { referenceId, kind, orderId }: Pick<CardReference, 'referenceId' | 'kind' | 'orderId'>,
  payment: RecurringPayment | undefined,
  { service: { store }, merchant: { login } }: Pick<RequestContext, 'service' | 'merchant'>,
): Promise<PastPayment | undefined> {
  if (orderId === undefined && kind !== 'recurring-payment') return undefined
  if (orderId !== undefined) return paidFirst(await store.orderById(orderId))
  const first = (payment?.cardSince ?? 0) + 1
  const chargeOf = async (number: number) =>
    await store.findOrder({ login, clientOrderId: chargeId(referenceId, number) })
  const { number: last = first } = payment?.lastCharge ?? {}
  return paidFirst(await chargeOf(first)) ?? (last > first ? paidFirst(await chargeOf(last)) : undefined)
}

/** Whether nothing may be charged by it now. */
export function hasEnded(
  payment: RecurringPayment,
  { merchants, clock }: Pick<Service, 'merchants' | 'clock'>,
): boolean {
  return (
    payment.isStopped === true ||
    isOver(payment, clock.trusted(), merchants.endpointOf(payment)?.charges ?? DEFAULT_CHARGE_TIME)
  )
}

const NO_SUCH_CARD =
  'There is no stored card of this reference, it may only be paid to, or its finish date is past or it was stopped; send the card itself.'

function noSuchCard(): Answer {
  return refusal(GATEWAY_CODES.noSuchCard, NO_SUCH_CARD)
}

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
  const maskedPan = vault.open(card, merchant.login).masked
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
