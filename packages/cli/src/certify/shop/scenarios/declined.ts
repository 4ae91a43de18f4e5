import { cards } from '@tallystick/testing'
import type { Scenario } from '../scenario.ts'

export const declined: Scenario = {
  id: 'declined',
  group: 'plain',
  title: 'the card is declined',
  right:
    'A declined payment moved no money [G5-01]. The shop says so, and delivers nothing: also if the browser ' +
    'comes back, which it does whatever the outcome [G6-10].',
  cost: 'freeGoods',
  run: async (trial) => {
    await trial.buy(cards.insufficientFunds)
    await trial.notPaid('the card was declined')
  },
}
