import { idsOf } from '../moves.ts'
import type { Scenario } from '../scenario.ts'
import { Wrong } from '../verdict.ts'

export const orderIdAsNumber: Scenario = {
  id: 'order-id-as-number',
  group: 'replies',
  title: "the gateway's order id is a JSON number of 19 digits",
  right:
    'Ids are read as text or as number of any size, and kept as text [G12-02]. As a float, the last digits of ' +
    '1234567890123456789 are lost: the shop then asks for, and waits for, an order that does not exist.',
  cost: 'nothingForMoney',
  settings: { hasLongIds: true },
  run: async (trial) => {
    await trial.buy()
    await trial.paidOnce()
    const { orderId } = await idsOf(trial)
    const asked = trial.gateway.calls.map(({ fields }) => fields.get('orderid')).find((id) => id && id !== orderId)
    if (asked !== undefined) throw new Wrong(`the gateway's order is ${orderId}, and the shop asks for ${asked}`)
  },
}
