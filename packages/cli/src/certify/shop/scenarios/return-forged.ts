import { idsOf, openUnpaid, returnAddress } from '../moves.ts'
import type { Scenario } from '../scenario.ts'

export const returnForged: Scenario = {
  id: 'return-forged',
  group: 'customer',
  title: 'somebody opens the address of return, with made-up fields',
  right:
    'What a browser brings proves nothing [G6-10]: anybody can open that address, with any fields. Only the ' +
    'status decides.',
  cost: 'freeGoods',
  run: async (trial) => {
    await openUnpaid(trial)
    const to = returnAddress(trial)
    const { clientOrderId, orderId } = await idsOf(trial)
    const ids = { client_orderid: clientOrderId, merchant_order: clientOrderId, orderid: orderId }
    const fields = {
      status: 'approved',
      ...ids,
      amount: trial.openings[0]?.fields.get('amount') ?? '',
      control: '0'.repeat(40),
    }
    await trial.comeBack({ back: { to, fields } })
    await trial.browser.open({
      method: 'GET',
      url: `${to}${to.includes('?') ? '&' : '?'}${new URLSearchParams(fields).toString()}`,
    })
    await trial.browser.open({ method: 'GET', url: to })
    await trial.staysUnpaid('somebody has opened the address of return')
  },
}
