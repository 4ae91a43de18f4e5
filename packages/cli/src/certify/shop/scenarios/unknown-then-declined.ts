import { payUnknown, staysUndecided } from '../moves.ts'
import type { Scenario } from '../scenario.ts'

export const unknownThenDeclined: Scenario = {
  id: 'unknown-then-declined',
  group: 'replies',
  title: 'the bank does not know the outcome, and a minute later it is declined',
  right:
    '`unknown` is not final [G12-10], and no success [G5-01]: goods leave only when it is approved. Here it ' +
    'is declined in the end.',
  cost: 'freeGoods',
  run: async (trial) => {
    await payUnknown(trial, 'unknown-then-declined')
    await staysUndecided(trial, 'the bank does not know the outcome')
    await trial.advance('5m')
    await trial.notPaid('the bank has declined it in the end')
  },
}
