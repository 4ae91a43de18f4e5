import type { OperationKey, RequestInput } from '@tallystick/core'

/** Fields that stand together for one way of saying something. */
type Way<K extends OperationKey> = ReadonlyArray<keyof RequestInput<K>>

/** Ways of which a request names one, such as a card or its reference. */
type Choice<K extends OperationKey> = readonly Way<K>[]

const CARD = ['cardNumber', 'cardPrintedName', 'expireMonth', 'expireYear', 'cvv2'] as const

const cardSource = [CARD, ['cardRefId'], ['cardRecurringPaymentId']] as const

const destination = [
  ['cardNumber', 'cardPrintedName', 'expireMonth', 'expireYear'],
  ['destinationCardRefId'],
  ['accountNumber'],
  ['destinationWallet'],
] as const

/**
 * What excludes each other in a request (the rules of the request models in core): who names another way than the default's
 * means it in place of that one.
 */
export const choices: { readonly [K in OperationKey]?: readonly Choice<K>[] } = {
  sale: [cardSource],
  preauth: [cardSource],
  accountVerification: [cardSource],
  payout: [destination],
  payoutCheck: [destination],
  createRecurringPayment: [[['amount'], ['amountFrom', 'amountTo'], ['amountSequence']]],
  panEligibilitySend: [[['sendingCardRefId'], ['sendingCardNumber']]],
  transfer: [
    [CARD, ['cardRecurringPaymentId'], ['depositToCard']],
    [['destinationCardNumber'], ['destinationCardRefId'], ['destinationCardRecurringPaymentId']],
  ],
  transferByRef: [[['destinationCardRefId'], ['destinationCardNumber']]],
}
