/**
 * The `error-code` of each refusal and failure of our gateway. No list of the family is public, so this one is
 * ours. A declined payment carries the ISO 8583 action code of the issuer instead.
 */
export const GATEWAY_CODES = {
  /** A field of the request is wrong or missing; the message names it. */
  invalidRequest: '1',
  /** There is no such order of this merchant. */
  noSuchOrder: '2',
  /** The client order id was used before with other content. */
  clientOrderIdTaken: '3',
  /** The signature does not fit the request. */
  badSignature: '4',
  /** There is no operation at this address, or this gateway does not serve it. */
  notServed: '5',
  /** The gateway failed; ask for the status. */
  internalFailure: '6',
  /** The endpoint does not accept this currency. */
  currencyNotAllowed: '7',
  /** There is no such card reference of this merchant. */
  noSuchCard: '8',
  /** A rule of state refuses the operation; the message names it. */
  refusedByRule: '9',
  /** The endpoint does not accept an order of this amount. */
  amountNotAllowed: '10',
  /** The gateway is overloaded; nothing was created. Try again. */
  overloaded: '11',
  /** The customer did not finish on the pages of the gateway in time. */
  customerAbsent: '12',
  /** The hosted form was sent three times with details that were not accepted, or a card was tried too often in vain. */
  tooManyTries: '13',
  /** The acquirer does not do this; the message says why. Nothing was created. */
  refusedByAcquirer: '14',
  /** Another order of the merchant was signed with the same control. */
  signedAlike: '15',
} as const

/** An error code of `GATEWAY_CODES`. */
export type GatewayCode = (typeof GATEWAY_CODES)[keyof typeof GATEWAY_CODES]
