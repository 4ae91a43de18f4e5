import { type Cvv, GATEWAY_CODES, type Pan } from '@tallystick/core'
import type { AcquirerCard } from '../acquirer/acquirer.ts'
import { type Answer, refusal } from '../http/answer.ts'
import { type CardRole, referenceKind, type SealedCard } from '../vault/sealed-card.ts'
import type { ProcessContext } from './processor.ts'

/** The card of a request: itself, or what stands for it. */
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
}

/**
 * The card itself, sealed, or the stored one of the reference. `undefined`: the merchant has none of this reference in
 * this role. A card that paid may receive as well; one that only received is never charged.
 */
export async function findCard(
  role: CardRole,
  source: CardSource,
  context: ProcessContext,
): Promise<FoundCard | undefined> {
  const { cardNumber, cardPrintedName, expireMonth, expireYear, cvv2 } = source
  if (cardNumber !== undefined) {
    const described = { pan: cardNumber, cardholderName: cardPrintedName, expireMonth, expireYear }
    const sealed = context.vault.seal(context.merchant.login, described)
    return { card: { pan: cardNumber, expireMonth, expireYear, cvv: cvv2 }, sealed }
  }
  const sealed = await storedCard(role, source, context)
  if (sealed === undefined) return undefined
  const pan = context.vault.open(sealed)
  return { card: { pan, expireMonth: sealed.expireMonth, expireYear: sealed.expireYear, cvv: cvv2 }, sealed }
}

async function storedCard(
  role: CardRole,
  { cardRefId, cardRecurringPaymentId }: CardSource,
  { store, merchant }: ProcessContext,
): Promise<SealedCard | undefined> {
  const name = cardRefId === undefined ? 'recurring-payment' : 'card'
  const referenceId = cardRefId ?? cardRecurringPaymentId
  if (referenceId === undefined) return undefined
  const reference = await store.cardReference(merchant.login, referenceId)
  const fits = reference?.kind === name || reference?.kind === referenceKind(name, role)
  return fits ? await store.card(reference.cardId) : undefined
}

export function noSuchCard(): Answer {
  const message = 'There is no stored card of this reference, or it may only be paid to; send the card itself.'
  return refusal(GATEWAY_CODES.noSuchCard, message)
}
