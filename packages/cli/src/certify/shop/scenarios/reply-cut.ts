import { faultOnFirstOpening, payDespiteBrokenReply } from '../moves.ts'
import type { Scenario } from '../scenario.ts'

export const replyCut: Scenario = {
  id: 'reply-cut',
  group: 'replies',
  title: 'the reply is cut off in the middle, and the order is made',
  right:
    'Half a reply is none: an id or an address in it may be cut short. The order is unknown until its status ' +
    'is known [S4-40].',
  cost: 'chargedTwice',
  waits: true,
  run: async (trial) => {
    faultOnFirstOpening(trial, 'truncated-body')
    await payDespiteBrokenReply(trial)
  },
}
