/** What a wrong shop costs. */
export const COSTS = {
  chargedTwice: 'a customer is charged twice',
  freeGoods: 'goods leave without payment',
  nothingForMoney: 'a paid customer gets nothing',
  deliveredTwice: 'goods leave twice for one payment',
  lostSale: 'a customer who wants to pay cannot',
  wrongAmount: 'goods leave for less than their price',
  givenBackTwice: 'money is given back twice',
  wrongBooks: 'the books show money that is gone',
  cardLeaked: "card numbers or customers' data get into wrong hands",
  brokenTexts: 'customers and staff read broken names',
  shutOut: 'the gateway is asked without end, until it shuts the shop out',
  callbacksLost: 'the gateway takes the shop for broken, and stops calling it',
} as const

export type Cost = keyof typeof COSTS

/** The shop does what it must not. */
export class Wrong extends Error {
  override readonly name = 'Wrong'
  readonly cost: Cost | undefined

  constructor(message: string, cost?: Cost) {
    super(message)
    this.cost = cost
  }
}

/** Whether the shop is right cannot be known, for want of what the message names. */
export class CannotJudge extends Error {
  override readonly name = 'CannotJudge'
}
