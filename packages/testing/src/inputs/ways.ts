import type { OperationKey, RequestInput } from '@tallystick/core'

/** Fields that belong together, such as those of a card. */
type Way<K extends OperationKey> = ReadonlyArray<keyof RequestInput<K>>

/** Ways of which a request has one, such as a card or its reference. */
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
 * Ways that exclude each other in a request (the rules of the request models in core). If a test names another way than that of
 * the defaults, it replaces that one.
 */
export const choices: { readonly [K in OperationKey]?: readonly Choice<K>[] } = {
  sale: [cardSource],
  preauth: [cardSource],
  accountVerification: [cardSource],
  payout: [destination],
  payoutCheck: [destination],
  createRecurringPayment: [[['amount'], ['amountFrom', 'amountTo'], ['amountSequence']]],
  updateRecurringPayment: [[['amount'], ['amountFrom', 'amountTo'], ['amountSequence']]],
  getRecurringPayment: [[['recurringPaymentId'], ['clientOrderId']]],
  panEligibilitySend: [[['sendingCardRefId'], ['sendingCardNumber']]],
  transfer: [
    [CARD, ['cardRecurringPaymentId'], ['depositToCard']],
    [['destinationCardNumber'], ['destinationCardRefId'], ['destinationCardRecurringPaymentId']],
  ],
  transferByRef: [[['destinationCardRefId'], ['destinationCardNumber']]],
}
