import { lastCallback } from '../moves.ts'
import type { Scenario } from '../scenario.ts'
import { Wrong } from '../verdict.ts'

export const callbackLate: Scenario = {
  id: 'callback-late',
  group: 'callbacks',
  title: 'the callback comes three days late',
  right:
    'A gateway tries for 14 days [G13-03]. A callback that comes when the shop has asked already, or has long ' +
    'given up, is acknowledged [G6-03], counts, and delivers nothing twice.',
  cost: 'deliveredTwice',
  run: async (trial) => {
    let isHeld = true
    trial.gateway.interceptCallback = async (url, deliver) =>
      isHeld ? { status: 0, failure: 'the shop is not reached' } : await deliver(url)
    await trial.buy()
    await trial.wait(trial.shop.file.quiet * 1000)
    await trial.advance('3d')
    isHeld = false
    const url = lastCallback(trial)
    const answer = await trial.deliver(url)
    if (answer.status >= 400)
      throw new Wrong(`the callback that is late is answered with ${answer.status}`, 'callbacksLost')
    await trial.paidOnce('the callback came three days late')
  },
}
