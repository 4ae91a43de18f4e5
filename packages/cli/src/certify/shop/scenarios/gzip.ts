import { gzipSync } from 'node:zlib'
import { onFirstOpening, payDespiteBrokenReply } from '../moves.ts'
import type { Scenario } from '../scenario.ts'

export const gzip: Scenario = {
  id: 'gzip',
  group: 'replies',
  title: 'the reply is compressed, and nobody has asked for that',
  right:
    'A reply in an encoding that was not asked for is read, or taken for unknown [F-C13]: the order was made, ' +
    'so the payment is not sent again.',
  cost: 'chargedTwice',
  run: async (trial) => {
    onFirstOpening(trial, async (_call, proceed) => {
      const reply = await proceed()
      trial.note('the reply is compressed')
      return { ...reply, headers: { ...reply.headers, 'content-encoding': 'gzip' }, body: gzipSync(reply.body) }
    })
    await payDespiteBrokenReply(trial)
  },
}
