import { throughThreeDs } from '../moves.ts'
import type { Scenario } from '../scenario.ts'

export const threeDsPassed: Scenario = {
  id: 'three-ds-passed',
  group: 'plain',
  title: 'the bank asks the customer, who confirms',
  right:
    'During 3-D Secure the status stays `processing`, which is no outcome [G5-02] [G5-08]. The shop waits, ' +
    'and delivers once it is approved.',
  cost: 'nothingForMoney',
  run: async (trial) => {
    await throughThreeDs(trial, 'confirms')
    await trial.paidOnce()
  },
}
