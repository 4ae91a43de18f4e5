import { cards } from '@tallystick/testing'
import type { Scenario } from '../scenario.ts'

export const twoOrders: Scenario = {
  id: 'two-orders',
  group: 'plain',
  title: 'two customers pay at once, and one is declined',
  right:
    'Each outcome belongs to its own order, by `client_orderid` and `orderid` [S2-05]. A shop that remembers ' +
    '"the current payment" in one place mixes them up.',
  cost: 'freeGoods',
  run: async (trial) => {
    const other = trial.another({ amount: trial.values['amount'] ?? '' })
    await Promise.all([trial.buy(), other.buy(cards.insufficientFunds)])
    await Promise.all([trial.paidOnce(), other.notPaid('the other card was declined')])
  },
}
