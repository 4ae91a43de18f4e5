import { callbackOf, idsOf, openUnpaid, withParameters } from '../moves.ts'
import type { Scenario } from '../scenario.ts'

export const callbackOfAnotherOrder: Scenario = {
  id: 'callback-of-another-order',
  group: 'callbacks',
  title: 'a true callback is about an order of another shop',
  right:
    'Two shops of one merchant have the same key: a callback with the right control may be about an order ' +
    'that this one does not know. It changes nothing here, whatever else it names; `merchant_order` only ' +
    'stands for a missing `client_orderid` [G6-07].',
  cost: 'freeGoods',
  run: async (trial) => {
    await openUnpaid(trial)
    const { clientOrderId } = await idsOf(trial)
    const url = await callbackOf(trial, { clientOrderId: `other-${clientOrderId}`, orderId: '900000000000001' })
    await trial.deliver(url)
    await trial.deliver(withParameters(url, { merchant_order: clientOrderId }))
    await trial.staysUnpaid('a callback was about an order of another shop')
  },
}
