import { faultOnFirstOpening, payDespiteBrokenReply } from '../moves.ts'
import type { Scenario } from '../scenario.ts'

export const replyLostAfterOrder: Scenario = {
  id: 'reply-lost-after-order',
  group: 'replies',
  title: 'the order is made, and the reply is lost',
  right:
    'The order exists, and the shop does not know it. It asks for the status by `client_orderid` [S4-40]. ' +
    'Sending the payment again, under the same id or a new one, can charge twice: a gateway may allow repeats ' +
    '[G13-29].',
  cost: 'chargedTwice',
  waits: true,
  run: async (trial) => {
    faultOnFirstOpening(trial, 'reply-lost-after-commit')
    await payDespiteBrokenReply(trial)
  },
}
