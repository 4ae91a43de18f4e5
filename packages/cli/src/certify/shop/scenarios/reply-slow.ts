import { onFirstOpening, payDespiteBrokenReply } from '../moves.ts'
import type { Scenario } from '../scenario.ts'

export const replySlow: Scenario = {
  id: 'reply-slow',
  group: 'replies',
  title: 'the order is made, and the reply is slower than the shop waits',
  right:
    'A time-out is no refusal: the order was made all the same. A client waits about 70 s [G13-07], and then ' +
    'asks for the status; it never sends the payment again because of a time-out.',
  cost: 'chargedTwice',
  isAlone: true,
  waits: true,
  run: async (trial) => {
    onFirstOpening(trial, async ({ gone }, proceed) => {
      const reply = await proceed()
      trial.note('the gateway is silent until the shop hangs up, 80 s at most')
      const hungUp = new Promise<void>((resolve) => gone.addEventListener('abort', () => resolve()))
      await Promise.race([hungUp, trial.wait(80_000)])
      return reply
    })
    await payDespiteBrokenReply(trial)
  },
}
