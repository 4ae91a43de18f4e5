import type { Scenario } from '../scenario.ts'
import { Wrong } from '../verdict.ts'

export const callbackBeforeReturn: Scenario = {
  id: 'callback-before-return',
  group: 'callbacks',
  title: 'the callback comes long before the browser',
  right:
    'The browser comes back before or after the callback, or never [G6-10]. The callback alone makes the ' +
    'order paid; when the customer comes back, they see that.',
  cost: 'nothingForMoney',
  run: async (trial) => {
    const paid = await trial.pay()
    await trial.paidOnce('the browser has not come back')
    const page = await trial.comeBack(paid)
    if (page !== undefined && page.status !== 0 && page.status < 400) return await trial.paidOnce()
    if (page !== undefined) throw new Wrong(`the customer who has paid comes back, and sees an error: ${page.status}`)
  },
}
