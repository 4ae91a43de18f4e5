/** Where a fault acts. */
export type FaultPlace =
  /** On the reply to one request. */
  | 'reply'
  /** On what the acquirer decides about one operation. */
  | 'outcome'
  /** On the callbacks of an order. */
  | 'callback'
  /** On what the issuer does with an order later. */
  | 'issuer'
  /** In the customer's browser: the pages ask whether the order has it. */
  | 'page'

/** What goes wrong by a fault, and what chooses it. */
export interface Fault {
  readonly acts: FaultPlace
  readonly meaning: string
  /** An order of this many minor units has the fault, in any currency: 66601 is 666.01. */
  readonly amount: bigint
  /** An order that this card pays, or is paid to, has the fault. */
  readonly card: string
}

/**
 * What can go wrong on demand. A fault has the same name in tests, on pages, in `/__sandbox` and on the command line. Only a
 * sandbox has faults.
 */
export const FAULTS = {
  'reply-lost-before-commit': {
    acts: 'reply',
    meaning: 'The connection is cut before the request is carried out: there is no order.',
    amount: 66_601n,
    card: '4000000000006017',
  },
  'reply-lost-after-commit': {
    acts: 'reply',
    meaning: 'The request is carried out, and the connection is cut instead of a reply.',
    amount: 66_602n,
    card: '4000000000006025',
  },
  'slow-reply': {
    acts: 'reply',
    meaning: "The request is carried out, and the reply comes ten seconds later by the gateway's clock.",
    amount: 66_603n,
    card: '4000000000006033',
  },
  'error-then-committed': {
    acts: 'reply',
    meaning: 'The request is carried out, and the reply is an error with HTTP status 500.',
    amount: 66_604n,
    card: '4000000000006041',
  },
  overloaded: {
    acts: 'reply',
    meaning: 'The reply has HTTP status 503, and the request is not carried out.',
    amount: 66_605n,
    card: '4000000000006058',
  },
  'html-page': {
    acts: 'reply',
    meaning: 'The request is carried out, and the reply is an HTML page with HTTP status 200.',
    amount: 66_606n,
    card: '4000000000006066',
  },
  'truncated-body': {
    acts: 'reply',
    meaning: 'The request is carried out, and the connection is cut in the middle of the reply.',
    amount: 66_607n,
    card: '4000000000006074',
  },
  'unknown-then-approved': {
    acts: 'outcome',
    meaning: 'The acquirer does not know the outcome at first, and says approved when asked again.',
    amount: 66_608n,
    card: '4000000000006082',
  },
  'unknown-then-declined': {
    acts: 'outcome',
    meaning: 'The acquirer does not know the outcome at first, and says declined when asked again.',
    amount: 66_609n,
    card: '4000000000006090',
  },
  'callback-delayed': {
    acts: 'callback',
    meaning: 'Each callback is sent ten minutes late.',
    amount: 66_610n,
    card: '4000000000006108',
  },
  'callback-twice': {
    acts: 'callback',
    meaning: 'Each callback is sent again after it was answered.',
    amount: 66_611n,
    card: '4000000000006116',
  },
  'callback-twice-at-once': {
    acts: 'callback',
    meaning: 'Each callback is sent over two connections at once.',
    amount: 66_612n,
    card: '4000000000006124',
  },
  'callback-out-of-order': {
    acts: 'callback',
    meaning:
      'The first callback of the order waits for the next one and is sent a minute after it; if there is none, after a day.',
    amount: 66_613n,
    card: '4000000000006132',
  },
  'callback-before-return': {
    acts: 'callback',
    meaning:
      "The customer's browser is sent back to the shop only after the callback was sent. Otherwise the two race.",
    amount: 66_614n,
    card: '4000000000006140',
  },
  'callback-never': {
    acts: 'callback',
    meaning: 'No callback is sent, unless an operator resends it.',
    amount: 66_615n,
    card: '4000000000006157',
  },
  'callback-forged': {
    acts: 'callback',
    meaning: 'Before the callback, one is sent that says the opposite, with a control that does not match.',
    amount: 66_616n,
    card: '4000000000006165',
  },
  'callback-shifted': {
    acts: 'callback',
    meaning:
      'Before the callback, one is sent in which a character of one order id moved to the other. Its control still matches.',
    amount: 66_617n,
    card: '4000000000006173',
  },
  'callback-amount-differs': {
    acts: 'callback',
    meaning:
      'The callback says an amount one unit higher than it is. Its control still matches, since it covers no amount.',
    amount: 66_618n,
    card: '4000000000006181',
  },
  'chargeback-after-return': {
    acts: 'issuer',
    meaning: 'A minute after a partial refund, the issuer charges back what is left.',
    amount: 66_619n,
    card: '4000000000006199',
  },
  'three-ds-abandoned': {
    acts: 'page',
    meaning: 'The customer never comes back from 3DS: the order waits for the result of the step.',
    amount: 66_620n,
    card: '4000000000006207',
  },
  'method-time-out': {
    acts: 'page',
    meaning: 'The issuer has a 3DS method frame that never answers, so its time runs out.',
    amount: 66_621n,
    card: '4000000000006215',
  },
} as const satisfies Readonly<Record<string, Fault>>

/** The name of a fault. */
export type FaultName = keyof typeof FAULTS

/** The faults that act at a place. */
export type FaultAt<Place extends FaultPlace> = {
  [Name in FaultName]: (typeof FAULTS)[Name]['acts'] extends Place ? Name : never
}[FaultName]

export const FAULT_NAMES = Object.keys(FAULTS) as readonly FaultName[]

/** What a run of tests draws its faults from. */
export interface FaultOptions {
  /** A whole number. The same seed gives the same faults to the same client order ids. Default: a random seed. */
  readonly seed?: number | undefined
  /** The faults to draw from. Default: all. */
  readonly only?: readonly FaultName[] | undefined
  /** How likely an order is to have a fault, from 0 to 1. Default 1. */
  readonly probability?: number | undefined
}
