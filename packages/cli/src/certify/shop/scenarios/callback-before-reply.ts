import { onFirstOpening } from '../moves.ts'
import type { Scenario } from '../scenario.ts'
import { CannotJudge } from '../verdict.ts'

export const callbackBeforeReply: Scenario = {
  id: 'callback-before-reply',
  group: 'callbacks',
  title: 'the callback comes before the reply to the payment',
  right:
    'The callback may overtake the reply. The shop has written down its `client_orderid` before it sends, so ' +
    'that it knows the order; or it answers with an error, and is called again [G13-03].',
  cost: 'nothingForMoney',
  run: async (trial) => {
    if (!trial.isDirect) throw new CannotJudge('a form is answered before anybody can pay on it')
    onFirstOpening(trial, async (_call, proceed) => {
      const reply = await proceed()
      await Promise.race([trial.gateway.gateway.settled(), trial.wait(3000)])
      return reply
    })
    await trial.pay()
    await trial.paidOnce('the callback came before the reply')
  },
}
