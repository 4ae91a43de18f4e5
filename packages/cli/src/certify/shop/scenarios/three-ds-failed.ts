import { throughThreeDs } from '../moves.ts'
import type { Scenario } from '../scenario.ts'

export const threeDsFailed: Scenario = {
  id: 'three-ds-failed',
  group: 'plain',
  title: 'the bank asks the customer, who fails',
  right:
    'A customer whom the bank does not recognise has paid nothing: the payment is declined [G5-01], and the ' +
    'shop says so.',
  cost: 'freeGoods',
  run: async (trial) => {
    await throughThreeDs(trial, 'fails')
    await trial.notPaid('the bank has not recognised the customer')
  },
}
