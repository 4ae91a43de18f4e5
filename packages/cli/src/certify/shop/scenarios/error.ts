import { failing } from '../moves.ts'
import type { Scenario } from '../scenario.ts'

export const error: Scenario = {
  id: 'error',
  group: 'plain',
  title: 'the bank answers with an error',
  right: '`error` is final, and no success [G5-01]: no money has moved, and the shop says so.',
  cost: 'freeGoods',
  settings: { acquirer: failing('error') },
  run: async (trial) => {
    await trial.buy()
    await trial.notPaid('the payment ended with an error')
  },
}
