import { cards } from '@tallystick/testing'
import { callbackOf, lastCallback, withParameters } from '../moves.ts'
import type { Scenario } from '../scenario.ts'

export const callbackStatusChanged: Scenario = {
  id: 'callback-status-changed',
  group: 'callbacks',
  title: 'the callback of a declined payment is changed to approved',
  right:
    'The control covers the status [G6-07], so that a callback with another status no longer matches its ' +
    'control. The shop computes it from what came, not from what it expects.',
  cost: 'freeGoods',
  run: async (trial) => {
    await trial.pay(cards.insufficientFunds)
    const url = lastCallback(trial, await callbackOf(trial, { status: 'declined' }))
    await trial.deliver(withParameters(url, { status: 'approved' }))
    await trial.staysUnpaid('the callback of a declined payment was changed to approved')
  },
}
