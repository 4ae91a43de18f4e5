import { killAndRestart, requireRestart } from '../moves.ts'
import type { Scenario } from '../scenario.ts'
import { CannotJudge } from '../verdict.ts'

export const killedInHandler: Scenario = {
  id: 'killed-in-handler',
  group: 'shop',
  title: 'the shop is killed when it has delivered',
  right:
    'That the goods were delivered is stored in the same transaction as the delivery, or the delivery can be ' +
    'repeated without harm: the callback comes again, because it was not acknowledged [G6-03].',
  cost: 'deliveredTwice',
  isAlone: true,
  waits: true,
  run: async (trial) => {
    requireRestart(trial)
    if (trial.shop.file.effects === undefined) throw new CannotJudge('the file has no effects')
    let restarted: Promise<void> | undefined
    trial.gateway.interceptCallback = async (url, deliver) => {
      if (restarted !== undefined) return await deliver(url)
      const answering = deliver(url)
      await trial.until(async () => ((await trial.effects()) ? true : undefined), 20_000, 10)
      if (!(await trial.effects())) return await answering
      trial.note('the shop has delivered')
      restarted = killAndRestart(trial)
      await restarted
      return await answering
    }
    const paid = await trial.pay()
    await restarted
    await trial.comeBack(paid)
    await trial.paidOnce('the shop was killed when it had delivered')
  },
}
