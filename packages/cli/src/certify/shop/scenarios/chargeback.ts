import { hundredths } from '../money.ts'
import { chargeBack, countsAsTakenBack, payInFull } from '../moves.ts'
import type { Scenario } from '../scenario.ts'

export const chargeback: Scenario = {
  id: 'chargeback',
  group: 'callbacks',
  title: 'the issuer takes the payment back',
  right:
    'A chargeback takes what was sold or captured [G13-22], weeks later, and is told by a callback of its own ' +
    'type to `notify_url` [G3.1-04]. The shop notes that the money is gone.',
  cost: 'wrongBooks',
  run: async (trial) => {
    const amount = await payInFull(trial)
    await trial.advance('30d')
    await chargeBack(trial)
    await countsAsTakenBack(trial, hundredths(amount), 'the issuer has taken the payment back')
    await trial.deliversOnce('the issuer has taken the payment back')
  },
}
