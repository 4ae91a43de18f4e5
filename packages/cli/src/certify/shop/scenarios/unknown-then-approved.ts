import { payUnknown, staysUndecided } from '../moves.ts'
import type { Scenario } from '../scenario.ts'

export const unknownThenApproved: Scenario = {
  id: 'unknown-then-approved',
  group: 'replies',
  title: 'the bank does not know the outcome, and a minute later it is approved',
  right:
    '`unknown` is not final [G12-10], and may turn into any final status [G5-06]. The shop waits, tells the ' +
    'customer so, and delivers when it is approved: a customer who is told "declined" pays again.',
  cost: 'nothingForMoney',
  run: async (trial) => {
    await payUnknown(trial, 'unknown-then-approved')
    await staysUndecided(trial, 'the bank does not know the outcome')
    await trial.advance('5m')
    await trial.paidOnce('the bank has approved it in the end')
  },
}
