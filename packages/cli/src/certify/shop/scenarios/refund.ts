import { hundredths } from '../money.ts'
import { actInShop, countsAsTakenBack, payInFull, requireGivenBack, requireInFile } from '../moves.ts'
import type { Scenario } from '../scenario.ts'

export const refund: Scenario = {
  id: 'refund',
  group: 'refunds',
  title: 'a payment is refunded in the shop',
  right:
    'A return gives back what was taken, and is an operation of its own, with an outcome of its own [S3-04] ' +
    '[S3-06].',
  cost: 'nothingForMoney',
  run: async (trial) => {
    requireInFile(trial, 'refund')
    const amount = await payInFull(trial)
    await actInShop(trial, 'refund', amount)
    await trial.until(async () => ((await trial.money()).givenBack > 0n ? true : undefined))
    await requireGivenBack(trial, hundredths(amount), 'the staff has refunded the order')
    if (trial.shop.file.outcome.takenBack !== undefined)
      await countsAsTakenBack(trial, hundredths(amount), 'the staff has refunded the order')
  },
}
