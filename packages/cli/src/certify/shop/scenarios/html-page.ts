import { faultOnFirstOpening, payDespiteBrokenReply } from '../moves.ts'
import type { Scenario } from '../scenario.ts'

export const htmlPage: Scenario = {
  id: 'html-page',
  group: 'replies',
  title: 'the reply is an HTML page with status 200, and the order is made',
  right:
    'What is no reply of the interface says nothing about the order [G2.3-02], whatever its status. The shop ' +
    'takes it for unknown: neither for paid, because it was a 200, nor for refused.',
  cost: 'chargedTwice',
  waits: true,
  run: async (trial) => {
    faultOnFirstOpening(trial, 'html-page')
    await payDespiteBrokenReply(trial)
  },
}
