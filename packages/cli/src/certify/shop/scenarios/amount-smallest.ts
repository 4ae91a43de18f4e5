import type { Scenario } from '../scenario.ts'

export const amountSmallest: Scenario = {
  id: 'amount-smallest',
  group: 'plain',
  title: 'the smallest amount, 0.01',
  right:
    'Amounts in the body are in major units with a dot [G3-01]; in the control the amount has no dot and no ' +
    'leading zeros, so that 0.01 is 1 [G7.1-02].',
  cost: 'lostSale',
  settings: { amount: '0.01' },
  run: async (trial) => {
    trial.needsAmount()
    await trial.buy()
    await trial.paidOnce()
  },
}
