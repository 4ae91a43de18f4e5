import { actInShop, countsAsTakenBack, payInFull, requireGivenBack, requireInFile } from '../moves.ts'
import type { Scenario } from '../scenario.ts'

/** A shop that sends a refund again does so soon. */
const REPEATS_MS = 10_000

export const refundReplyLost: Scenario = {
  id: 'refund-reply-lost',
  group: 'refunds',
  title: 'a part is refunded, and the reply is lost',
  right:
    'The refund was carried out: sending it again gives the money back twice, since two parts of equal size ' +
    'are two refunds. The shop asks for the status, which says how much is left [G13-20].',
  cost: 'givenBackTwice',
  waits: true,
  run: async (trial) => {
    requireInFile(trial, 'refund')
    await payInFull(trial)
    let isFirst = true
    trial.gateway.intercept = async ({ operation }, proceed) => {
      const reply = await proceed()
      if (operation !== 'return' || !isFirst) return reply
      isFirst = false
      trial.note('the refund is carried out, and the reply is lost')
      return { ...reply, cut: 'before-reply' }
    }
    await actInShop(trial, 'refund', '5.00')
    await trial.until(async () => ((await trial.money()).givenBack > 500n ? true : undefined), REPEATS_MS)
    await requireGivenBack(trial, 500n, 'the reply to a refund of 5.00 was lost')
    if (trial.shop.file.outcome.takenBack !== undefined)
      await countsAsTakenBack(trial, 500n, 'the reply to a refund of 5.00 was lost')
  },
}
