import { onFirstOpening, payDespiteBrokenReply } from '../moves.ts'
import type { Scenario } from '../scenario.ts'

export const wrongContentType: Scenario = {
  id: 'wrong-content-type',
  group: 'replies',
  title: 'the reply is right, and its content type is wrong',
  right:
    'The body decides what a reply is [G2.3-01]. Whoever does not read it takes the order for unknown, never ' +
    'for refused: it was made.',
  cost: 'chargedTwice',
  run: async (trial) => {
    onFirstOpening(trial, async (_call, proceed) => {
      const reply = await proceed()
      trial.note('the reply says content-type: text/plain')
      return { ...reply, headers: { ...reply.headers, 'content-type': 'text/plain' } }
    })
    await payDespiteBrokenReply(trial)
  },
}
