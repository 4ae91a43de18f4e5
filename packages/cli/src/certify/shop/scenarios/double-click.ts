import { payOnBoth } from '../moves.ts'
import type { Scenario } from '../scenario.ts'

export const doubleClick: Scenario = {
  id: 'double-click',
  group: 'customer',
  title: 'the customer clicks twice',
  right:
    "Two requests for one order are one payment: the second finds the first by the shop's own key of the " +
    'order, and leads to the same form. To the gateway two client order ids are two orders [G13-10], and both forms can be paid.',
  cost: 'chargedTwice',
  run: async (trial) => {
    const pages = await Promise.all([trial.begin(), trial.begin()])
    await payOnBoth(trial, pages)
  },
}
