import { hundredths } from '../money.ts'
import { chargeBack, countsAsTakenBack, giveBack, payInFull } from '../moves.ts'
import type { Scenario } from '../scenario.ts'
import { CannotJudge } from '../verdict.ts'

export const chargebackAfterReturn: Scenario = {
  id: 'chargeback-after-return',
  group: 'callbacks',
  title: 'a part is refunded, and the issuer takes the rest back',
  right:
    'Refunds and chargebacks together stay within what was taken [G5-07]: the chargeback is of the rest, and ' +
    'both count.',
  cost: 'wrongBooks',
  run: async (trial) => {
    if (trial.shop.file.outcome.takenBack === undefined) throw new CannotJudge('the file has no outcome.takenBack')
    const amount = await payInFull(trial)
    await giveBack(trial, '5.00')
    await countsAsTakenBack(trial, 500n, 'a part of 5.00 was refunded')
    await chargeBack(trial)
    await countsAsTakenBack(trial, hundredths(amount), 'a part was refunded, and the issuer has taken the rest')
  },
}
