import { hundredths } from '../money.ts'
import { actInShop, declinesRefunds, payInFull, requireInFile } from '../moves.ts'
import type { Scenario } from '../scenario.ts'
import { CannotJudge, Wrong } from '../verdict.ts'

export const refundDeclined: Scenario = {
  id: 'refund-declined',
  group: 'refunds',
  title: 'the bank declines a refund',
  right:
    'A return is acknowledged first and decided later [S1-15]: it may be declined. The shop counts as ' +
    'refunded what was approved [G5-01].',
  cost: 'wrongBooks',
  settings: { acquirer: declinesRefunds() },
  run: async (trial) => {
    requireInFile(trial, 'refund')
    const amount = await payInFull(trial)
    await actInShop(trial, 'refund', amount)
    await trial.wait(2 * trial.shop.file.quiet * 1000)
    const counted = await trial.shop.takenBack({ ...trial.values, order: trial.order })
    if (counted === undefined) throw new CannotJudge('the file has no outcome.takenBack, or the shop does not show it')
    if (hundredths(counted) !== 0n)
      throw new Wrong(`the bank has declined the refund, and the shop counts ${counted} as refunded`)
  },
}
