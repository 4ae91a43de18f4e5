import { faultOnFirstOpening, payDespiteBrokenReply } from '../moves.ts'
import type { Scenario } from '../scenario.ts'

export const errorThenCommitted: Scenario = {
  id: 'error-then-committed',
  group: 'replies',
  title: 'the reply is an error 500, and the order is made',
  right:
    'A server failure [S4-08] says nothing about the order: it may have been made before. The shop takes it ' +
    'for unknown, and asks for the status.',
  cost: 'chargedTwice',
  waits: true,
  run: async (trial) => {
    faultOnFirstOpening(trial, 'error-then-committed')
    await payDespiteBrokenReply(trial)
  },
}
