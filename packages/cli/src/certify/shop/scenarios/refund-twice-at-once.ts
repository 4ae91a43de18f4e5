import { hundredths } from '../money.ts'
import { actInShop, countsAsTakenBack, payInFull, requireGivenBack, requireInFile } from '../moves.ts'
import type { Scenario } from '../scenario.ts'

export const refundTwiceAtOnce: Scenario = {
  id: 'refund-twice-at-once',
  group: 'refunds',
  title: 'two employees refund the same order at once',
  right:
    'Refunds together stay within what was taken [G5-07]. The second is refused, by the shop or by the ' +
    'gateway, and counts nothing.',
  cost: 'givenBackTwice',
  run: async (trial) => {
    requireInFile(trial, 'refund')
    const amount = await payInFull(trial)
    await Promise.all([actInShop(trial, 'refund', amount), actInShop(trial, 'refund', amount)])
    await trial.until(async () => ((await trial.money()).givenBack > 0n ? true : undefined))
    await trial.wait(trial.shop.file.quiet * 1000)
    await requireGivenBack(trial, hundredths(amount), 'two employees have refunded the order at once')
    if (trial.shop.file.outcome.takenBack !== undefined)
      await countsAsTakenBack(trial, hundredths(amount), 'two employees have refunded the order at once')
  },
}
