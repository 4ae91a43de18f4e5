import { leaveAtThreeDs, staysUndecided } from '../moves.ts'
import type { Scenario } from '../scenario.ts'

export const threeDsAbandoned: Scenario = {
  id: 'three-ds-abandoned',
  group: 'plain',
  title: 'the customer leaves when the bank asks',
  right:
    'An order that waits for the customer is `processing` [G5-08]: neither paid nor failed, because the ' +
    'customer may still confirm. The gateway ends it after half an hour, and only then it is not paid.',
  cost: 'freeGoods',
  run: async (trial) => {
    await leaveAtThreeDs(trial)
    await staysUndecided(trial, 'the bank still waits for the customer')
    await trial.advance('2h')
    await trial.notPaid('the customer has never confirmed')
  },
}
