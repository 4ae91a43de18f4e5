import { killAndRestart, requireRestart } from '../moves.ts'
import type { Scenario } from '../scenario.ts'
import { CannotJudge } from '../verdict.ts'

export const killedAfterCallback: Scenario = {
  id: 'killed-after-callback',
  group: 'shop',
  title: 'the shop is killed as soon as it has acknowledged the callback',
  right:
    '200 means that the callback is stored [G6-03]: the gateway never sends it again. A shop that answers ' +
    'first and stores later loses it with its process.',
  cost: 'nothingForMoney',
  isAlone: true,
  waits: true,
  run: async (trial) => {
    requireRestart(trial)
    let restarted: Promise<void> | undefined
    trial.gateway.interceptCallback = async (url, deliver) => {
      const answer = await deliver(url)
      if (answer.status !== 200) return answer
      restarted ??= killAndRestart(trial)
      await restarted
      return answer
    }
    const paid = await trial.pay()
    if (restarted === undefined) throw new CannotJudge('the shop has acknowledged no callback')
    await restarted
    await trial.comeBack(paid)
    await trial.paidOnce('the callback was acknowledged, and the shop was killed')
  },
}
