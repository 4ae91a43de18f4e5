import { faultOnFirstOpening, payDespiteBrokenReply } from '../moves.ts'
import type { Scenario } from '../scenario.ts'

export const replyLostBeforeOrder: Scenario = {
  id: 'reply-lost-before-order',
  group: 'replies',
  title: 'the request is lost, and there is no order',
  right:
    'No reply says nothing: the order may exist or not. The shop asks for the status by `client_orderid` ' +
    '[S4-40], and sends again only when it knows that nothing was created.',
  cost: 'chargedTwice',
  waits: true,
  run: async (trial) => {
    faultOnFirstOpening(trial, 'reply-lost-before-commit')
    await payDespiteBrokenReply(trial)
  },
}
