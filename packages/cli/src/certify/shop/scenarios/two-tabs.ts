import { payOnBoth } from '../moves.ts'
import type { Scenario } from '../scenario.ts'

export const twoTabs: Scenario = {
  id: 'two-tabs',
  group: 'customer',
  title: 'the customer begins in two tabs, and pays in both',
  right:
    'As with a double click: the order has one payment under way, and the second tab leads to it. The gateway ' +
    "knows nothing of the shop's orders, and takes every form that is paid [G13-10].",
  cost: 'chargedTwice',
  run: async (trial) => {
    const first = await trial.begin()
    const second = await trial.begin()
    await payOnBoth(trial, [second, first])
  },
}
