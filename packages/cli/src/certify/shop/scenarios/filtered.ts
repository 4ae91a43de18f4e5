import { failing } from '../moves.ts'
import type { Scenario } from '../scenario.ts'

export const filtered: Scenario = {
  id: 'filtered',
  group: 'plain',
  title: 'a fraud filter stops the payment',
  right:
    '`filtered` is final, and no success [G5-01]: the shop says that it is not paid. A shop that knows only ' +
    '`approved` and `declined` leaves its customer waiting for ever, or takes what it does not know for paid.',
  cost: 'freeGoods',
  settings: { acquirer: failing('filtered') },
  run: async (trial) => {
    await trial.buy()
    await trial.notPaid('the payment was filtered')
  },
}
