import { cards } from '@tallystick/testing'
import type { Scenario } from '../scenario.ts'
import { CannotJudge } from '../verdict.ts'

export const secondTry: Scenario = {
  id: 'second-try',
  group: 'plain',
  title: 'the card is declined, and the customer tries another one',
  right:
    'A declined order stays declined: another try is another payment, with a client order id of its own ' +
    '[G13-10]. The customer may try again at once, and is charged once.',
  cost: 'lostSale',
  run: async (trial) => {
    await trial.buy(cards.insufficientFunds)
    await trial.becomes('notPaid', 'the card was declined')
    const before = trial.openings.length
    const again = await trial.begin(cards.approved)
    if (again.leadsTo === undefined && trial.openings.length === before)
      throw new CannotJudge('the shop begins no second payment of an order')
    if (again.leadsTo !== undefined) await trial.comeBack({ back: await trial.payOn(again.leadsTo) })
    await trial.paidOnce()
  },
}
