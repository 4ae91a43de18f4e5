import { callbackOf, idsOf, openUnpaid, withParameters } from '../moves.ts'
import type { Scenario } from '../scenario.ts'

export const callbackShifted: Scenario = {
  id: 'callback-shifted',
  group: 'callbacks',
  title: 'characters of a true callback move from one id to the other',
  right:
    'The control is made of texts without separators [G6-07]: it still matches when the border between ' +
    '`orderid` and `client_orderid` moves. Both ids must be those of one order that the shop knows.',
  cost: 'freeGoods',
  run: async (trial) => {
    await openUnpaid(trial)
    const unpaid = await idsOf(trial)
    const other = trial.another({ order: `9${trial.order}`, amount: trial.values['amount'] ?? '' })
    await other.pay()
    const paid = await idsOf(other)
    const isWithin = paid.clientOrderId.endsWith(unpaid.clientOrderId)
    const moved = isWithin ? paid.clientOrderId.slice(0, -unpaid.clientOrderId.length) : ''
    const to = isWithin
      ? { orderid: paid.orderId + moved, client_orderid: unpaid.clientOrderId, merchant_order: unpaid.clientOrderId }
      : { orderid: paid.orderId.slice(0, -1), client_orderid: paid.orderId.slice(-1) + paid.clientOrderId }
    await trial.deliver(withParameters(await callbackOf(other, {}), to))
    await trial.staysUnpaid('a callback of another order was shifted')
    await other.paidOnce()
  },
}
