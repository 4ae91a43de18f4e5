import { onFirstOpening, payDespiteBrokenReply } from '../moves.ts'
import type { Scenario } from '../scenario.ts'

export const refusedByProxy: Scenario = {
  id: 'refused-by-proxy',
  group: 'replies',
  title: 'a proxy on the way refuses the request with 403',
  right:
    "A 403 that is no reply of the interface is not the gateway's verdict, neither on the payment nor on the " +
    'credentials [F-C2]. The customer may try again.',
  cost: 'lostSale',
  waits: true,
  run: async (trial) => {
    onFirstOpening(trial, async () => {
      trial.note('a proxy answers 403')
      return { status: 403, headers: { 'content-type': 'text/html' }, body: '<h1>Access denied</h1>' }
    })
    await payDespiteBrokenReply(trial, true)
  },
}
