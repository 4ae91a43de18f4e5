import { requireRestart } from '../moves.ts'
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
  run: async (trial) => {
    requireRestart(trial)
    let isKilled = false
    trial.gateway.interceptCallback = async (url, deliver) => {
      if (isKilled) return await deliver(url)
      const answering = deliver(url)
      await trial.until(async () => ((await trial.effects()) ? true : undefined), 20_000, 10)
      if (!(await trial.effects())) return await answering
      isKilled = true
      trial.note('the shop has delivered, and is killed')
      await trial.shop.kill()
      const answer = await answering
      await trial.shop.restart()
      trial.note('the shop runs again')
      return answer
    }
    if (trial.shop.file.effects === undefined) throw new CannotJudge('the file has no effects')
    const paid = await trial.pay()
    await trial.comeBack(paid)
    await trial.paidOnce('the shop was killed when it had delivered')
  },
}
