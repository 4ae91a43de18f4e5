import type { Scenario } from '../scenario.ts'
import { Wrong } from '../verdict.ts'

export const formExpired: Scenario = {
  id: 'form-expired',
  group: 'plain',
  title: 'the customer never pays, and the form expires',
  right:
    'The gateway ends an order that nobody pays. The shop learns it by callback or status [S6-03] [S4-41], ' +
    'says that it is not paid, or lets the customer begin again; it does not lead anybody to a form that is ' +
    'over.',
  cost: 'lostSale',
  run: async (trial) => {
    const { form } = await trial.openForm()
    await trial.advance('2h')
    await trial.staysUnpaid('nobody has paid')
    if (!trial.canBeginAgain) return await trial.becomes('notPaid', 'the form has expired')
    await trial.until(async () => ((await trial.state()).state === 'notPaid' ? true : undefined), 5000)
    const again = await trial.begin()
    if (again.leadsTo === undefined) return await trial.becomes('notPaid', 'the form has expired')
    if (again.leadsTo === form) throw new Wrong('the shop leads the customer to the form that has expired')
    await trial.comeBack({ back: await trial.payOn(again.leadsTo) })
    await trial.paidOnce()
  },
}
