import { faultOnFirstOpening, payDespiteBrokenReply } from '../moves.ts'
import type { Scenario } from '../scenario.ts'

export const overloaded: Scenario = {
  id: 'overloaded',
  group: 'replies',
  title: 'the gateway is overloaded, and answers 503',
  right:
    'A 503 carries nothing out here, but a proxy on the way may answer so for a payment that got through ' +
    '[G2.3-02]. The customer may try again; they are charged once.',
  cost: 'chargedTwice',
  waits: true,
  run: async (trial) => {
    faultOnFirstOpening(trial, 'overloaded')
    await payDespiteBrokenReply(trial, true)
  },
}
