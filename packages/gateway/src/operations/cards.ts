import { type Cvv, GATEWAY_CODES, type Pan } from '@tallystick/core'
import type { AcquirerCard } from '../acquirer/acquirer.ts'
import { openedCard } from '../acquirer/card.ts'
import type { RequestContext, Service } from '../context.ts'
import { type Answer, refusal, triedTooOften } from '../http/reply.ts'
import { DEFAULT_CHARGE_TIME } from '../merchants/endpoint-settings.ts'
import type { PastPayment } from '../orders/order.ts'
import { paidFirst } from '../processing/execute.ts'
import { chargeId, isOver } from '../processing/next-charge.ts'
import type { RecurringPayment } from '../store/recurring-payment.ts'
import { type CardReference, type CardRole, referenceKind, type SealedCard } from '../vault/sealed-card.ts'

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
  return tooOften ?? { ...stored, card: { ...openedCard(stored.sealed, vault), cvv: cvv2 } }
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

export function noSuchCard(): Answer {
  return refusal(GATEWAY_CODES.noSuchCard, NO_SUCH_CARD)
}
