import { hundredths, major } from '../money.ts'
import { actInShop, payInFull, requireInFile } from '../moves.ts'
import type { Scenario } from '../scenario.ts'
import { Wrong } from '../verdict.ts'

export const refundTooMuch: Scenario = {
  id: 'refund-too-much',
  group: 'refunds',
  title: 'more is refunded than was paid',
  right: 'A return of more than was taken is refused [G3.2-14]. The shop must not take the request for done.',
  cost: 'wrongBooks',
  run: async (trial) => {
    requireInFile(trial, 'refund')
    const amount = await payInFull(trial)
    await actInShop(trial, 'refund', major(2n * hundredths(amount)))
    await trial.wait(trial.shop.file.quiet * 1000)
    const { givenBack } = await trial.money()
    if (givenBack > hundredths(amount)) throw new Wrong(`of ${amount}, ${major(givenBack)} went back`, 'givenBackTwice')
    const counted = await trial.shop.takenBack({ ...trial.values, order: trial.order })
    if (counted !== undefined && hundredths(counted) !== givenBack)
      throw new Wrong(`${major(givenBack)} went back, and the shop counts ${counted}`)
  },
}
