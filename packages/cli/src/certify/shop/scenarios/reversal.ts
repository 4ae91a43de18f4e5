import { hundredths } from '../money.ts'
import { countsAsTakenBack, giveBack, payInFull } from '../moves.ts'
import type { Scenario } from '../scenario.ts'

export const reversal: Scenario = {
  id: 'reversal',
  group: 'callbacks',
  title: 'the payment is refunded at the gateway',
  right:
    'A refund that the merchant makes at the gateway, or that an employee there makes, is a callback of type ' +
    '`reversal` with status `approved` [G5-04] [G3.1-04]: `approved` alone does not mean that money came.',
  cost: 'wrongBooks',
  run: async (trial) => {
    const amount = await payInFull(trial)
    await giveBack(trial)
    await countsAsTakenBack(trial, hundredths(amount), 'the payment was refunded at the gateway')
    await trial.deliversOnce('the payment was refunded at the gateway')
  },
}
