import { callbackOf, giveBack, payInFull } from '../moves.ts'
import type { Scenario } from '../scenario.ts'
import { Wrong } from '../verdict.ts'

export const callbackReplayedAfterRefund: Scenario = {
  id: 'callback-replayed-after-refund',
  group: 'callbacks',
  title: 'the callback of a payment comes again, after it was refunded',
  right:
    'A callback stays valid for ever: nothing in it ends. One that comes again after a refund is a duplicate ' +
    '[G6-05]: it delivers nothing, and the order is not paid again.',
  cost: 'deliveredTwice',
  run: async (trial) => {
    await payInFull(trial)
    const first = trial.gateway.callbacks[0] ?? (await callbackOf(trial, {}))
    await giveBack(trial)
    await trial.wait(trial.shop.file.quiet * 1000)
    const { state } = await trial.state()
    await trial.deliver(first)
    await trial.deliversOnce('the callback came again after a refund')
    const after = await trial.state()
    if (state !== 'paid' && after.state === 'paid')
      throw new Wrong('the order was refunded, its callback came again, and the shop says paid', 'freeGoods')
  },
}
