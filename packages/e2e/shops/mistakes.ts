/** The mistakes that the shops beside this file make, if the environment has their name as MISTAKE. Each is a few lines of them. */

export type Language = 'typescript' | 'php' | 'python'

export interface Mistake {
  readonly language: Language
  /** What the shop does wrong. */
  readonly does: string
  /** Whether it shows only where the shop takes the card itself. */
  readonly isDirect?: true
  /** The scenario of `certify shop` that is meant for it. */
  readonly foundBy: string
  /** Others that find it too, because the same thing goes wrong there. */
  readonly follows?: readonly string[]
}

export const MISTAKES: Readonly<Record<string, Mistake>> = {
  'retry-on-timeout': {
    language: 'typescript',
    does: 'sends a payment again when its reply does not come',
    isDirect: true,
    foundBy: 'reply-slow',
    follows: ['reply-lost-before-order', 'reply-lost-after-order', 'reply-cut', 'refund-reply-lost'],
  },
  'new-id-on-retry': {
    language: 'php',
    does: 'sends a payment again, under a new client order id, when its reply does not come',
    isDirect: true,
    foundBy: 'reply-lost-after-order',
    follows: ['reply-lost-before-order', 'reply-slow', 'reply-cut', 'html-page', 'redirect'],
  },
  'return-counts-as-paid': {
    language: 'php',
    does: 'takes an order for paid because a browser comes back and says so',
    foundBy: 'return-without-payment',
    follows: ['return-forged', 'callback-amount-differs', 'callback-currency-differs'],
  },
  'callback-without-control': {
    language: 'python',
    does: 'does not verify the control of a callback',
    foundBy: 'callback-without-control',
    follows: ['callback-forged', 'callback-status-changed'],
  },
  'control-compared-loosely': {
    language: 'php',
    does: 'compares the control by ==, to which true is equal to any text',
    foundBy: 'callback-forged',
  },
  'amount-unchecked': {
    language: 'php',
    does: 'takes an order for paid by a callback whose amount it compares with nothing',
    foundBy: 'callback-amount-differs',
  },
  'float-cents': { language: 'python', does: 'counts cents by floats: 1998 of 19.99', foundBy: 'amount-cents' },
  'unknown-is-declined': {
    language: 'typescript',
    does: 'takes the status unknown for declined',
    foundBy: 'unknown-then-approved',
    follows: ['unknown-then-declined', 'return-before-outcome'],
  },
  'unknown-is-approved': {
    language: 'python',
    does: 'takes the status unknown for approved',
    foundBy: 'unknown-then-declined',
    follows: ['unknown-then-approved', 'return-before-outcome'],
  },
  'handler-twice': {
    language: 'python',
    does: 'delivers at each callback',
    foundBy: 'callback-twice',
    follows: [
      'callback-twice-at-once',
      'callback-late',
      'callback-burst',
      'callback-replayed-after-refund',
      'killed-in-handler',
    ],
  },
  'effect-before-commit': {
    language: 'typescript',
    does: 'delivers before it has stored that the order is paid',
    foundBy: 'killed-in-handler',
    follows: ['killed-after-callback'],
  },
  'answered-before-stored': {
    language: 'typescript',
    does: 'answers a callback before it stores it, and asks for nothing by itself',
    foundBy: 'killed-after-callback',
    follows: ['callback-never'],
  },
  'repeated-callback-refused': {
    language: 'php',
    does: 'answers a repeated callback with 400',
    foundBy: 'callback-twice',
    follows: ['callback-burst', 'partial-reversals'],
  },
  'first-callback-only': {
    language: 'typescript',
    does: 'acts on the first callback of an order, and on none of the later ones',
    foundBy: 'partial-reversals',
    follows: ['reversal', 'chargeback', 'chargeback-after-return'],
  },
  'refund-retried': {
    language: 'python',
    does: 'sends a refund again when its reply does not come',
    foundBy: 'refund-reply-lost',
  },
  'double-click': {
    language: 'php',
    does: 'makes a payment of each click',
    foundBy: 'double-click',
    follows: ['two-tabs', 'form-left'],
  },
  'never-polled': {
    language: 'php',
    does: 'asks for the status only when a callback comes',
    foundBy: 'callback-never',
  },
  'polled-without-end': {
    language: 'python',
    does: 'asks for the status each second, for ever',
    foundBy: 'polls-without-end',
  },
  'order-id-number': {
    language: 'typescript',
    does: 'reads the order id as a number of JavaScript',
    foundBy: 'order-id-as-number',
  },
  'classic-untrimmed': {
    language: 'python',
    does: 'leaves the line feeds on the values of a classic reply',
    foundBy: 'classic-replies',
  },
  'chargeback-ignored': {
    language: 'typescript',
    does: 'takes no notice of a chargeback',
    foundBy: 'chargeback',
    follows: ['chargeback-after-return'],
  },
  'currency-ignored': {
    language: 'typescript',
    does: 'compares the amount and not the currency',
    foundBy: 'callback-currency-differs',
  },
  'redirect-followed': {
    language: 'typescript',
    does: 'follows a redirect, with the card',
    isDirect: true,
    foundBy: 'redirect',
  },
  'card-in-log': {
    language: 'python',
    does: 'logs its requests, with the card',
    isDirect: true,
    foundBy: 'card-in-log',
  },
  'session-lost': {
    language: 'php',
    does: "finds the order of a returning browser by a cookie, which a form of the gateway's site does not bring",
    foundBy: 'return-from-another-site',
    follows: ['callback-before-return', 'return-before-outcome'],
  },
}
