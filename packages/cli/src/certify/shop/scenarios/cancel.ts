import { hundredths } from '../money.ts'
import { actInShop, requireGivenBack, requireInFile } from '../moves.ts'
import type { Scenario } from '../scenario.ts'
import { CannotJudge } from '../verdict.ts'

export const cancel: Scenario = {
  id: 'cancel',
  group: 'refunds',
  title: 'an amount that the shop holds is released',
  right:
    'A shop that holds an amount until the goods leave releases it when they do not: by a return of the preauth, ' +
    'which is a full cancel while nothing is captured [S3-04] [G13-19], or by a void [S3-03]. The order is no longer paid ' +
    'then. An amount that stays held is money that the customer cannot spend.',
  cost: 'nothingForMoney',
  run: async (trial) => {
    requireInFile(trial, 'cancel')
    await trial.buy()
    await trial.paidOnce()
    if (!trial.openings.some(({ operation }) => operation.startsWith('preauth')))
      throw new CannotJudge('the shop takes the amount at once: nothing is held that could be released')
    const held = (await trial.money()).payments[0]?.amount ?? ''
    await actInShop(trial, 'cancel', held)
    await trial.until(async () => ((await trial.money()).givenBack > 0n ? true : undefined))
    await requireGivenBack(trial, hundredths(held), 'the staff has released the amount')
    await trial.becomes('notPaid', 'the staff has released the amount')
  },
}
