import type { Scenario } from '../scenario.ts'

export const approved: Scenario = {
  id: 'approved',
  group: 'plain',
  title: 'the customer pays, and comes back',
  right:
    'The shop leads the customer to the gateway, learns the outcome by the callback or by asking for the ' +
    'status, and delivers once. A payment is done when its status is final and approved, and nothing else is ' +
    'a success [G5-01]. The customer pays exactly the price of the order.',
  cost: 'nothingForMoney',
  run: async (trial) => {
    await trial.buy()
    await trial.paidOnce()
  },
}
