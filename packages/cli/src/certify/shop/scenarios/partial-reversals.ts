import { countsAsTakenBack, giveBack, payInFull } from '../moves.ts'
import type { Scenario } from '../scenario.ts'
import { CannotJudge } from '../verdict.ts'

export const partialReversals: Scenario = {
  id: 'partial-reversals',
  group: 'callbacks',
  title: 'two parts of equal size are refunded',
  right:
    'Two refunds of 5.00 have the same status, type and ids, and look like one callback that came twice ' +
    '[G6-05]. The shop tells them apart by the status, which says how much is left [G13-20].',
  cost: 'wrongBooks',
  run: async (trial) => {
    if (trial.shop.file.outcome.takenBack === undefined) throw new CannotJudge('the file has no outcome.takenBack')
    await payInFull(trial)
    await giveBack(trial, '5.00')
    await countsAsTakenBack(trial, 500n, 'a part of 5.00 was refunded')
    await giveBack(trial, '5.00')
    await countsAsTakenBack(trial, 1000n, 'two parts of 5.00 were refunded')
  },
}
