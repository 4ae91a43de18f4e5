import { judgeAsCharged, onFirstOpening, requireRestart } from '../moves.ts'
import type { Scenario } from '../scenario.ts'

export const killedWhileSending: Scenario = {
  id: 'killed-while-sending',
  group: 'shop',
  title: 'the shop is killed when the order is made and the reply not yet there',
  right:
    'What is to be sent is written down before it is sent, with its `client_orderid`. The next process finds ' +
    'it, and asks for the status [S4-40]; it does not send again, and does not forget.',
  cost: 'chargedTwice',
  isAlone: true,
  waits: true,
  run: async (trial) => {
    requireRestart(trial)
    onFirstOpening(trial, async (_call, proceed) => {
      const reply = await proceed()
      trial.note('the shop is killed')
      await trial.shop.kill()
      return { ...reply, cut: 'before-reply' }
    })
    await trial.begin()
    await trial.shop.restart()
    trial.note('the shop runs again')
    await trial.wait(trial.shop.file.quiet * 1000)
    const page = trial.canBeginAgain ? await trial.begin() : undefined
    if (page?.leadsTo !== undefined) await trial.comeBack({ back: await trial.payOn(page.leadsTo) })
    await trial.gateway.gateway.settled()
    await judgeAsCharged(trial, 'the shop was killed while it sent the payment')
  },
}
