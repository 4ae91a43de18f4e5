import type { Scenario } from '../scenario.ts'

export const backButton: Scenario = {
  id: 'back-button',
  group: 'customer',
  title: 'the customer has paid, goes back, and presses the button again',
  right:
    'An order whose payment is approved is final [G5-01], and is not paid again: the shop shows that, instead of a form. To ' +
    'the gateway another client order id is another order [G13-10].',
  cost: 'chargedTwice',
  run: async (trial) => {
    await trial.buy()
    await trial.paidOnce()
    const again = await trial.begin()
    const back = again.leadsTo === undefined ? undefined : await trial.payOn(again.leadsTo).catch(() => undefined)
    if (back !== undefined) await trial.comeBack({ back })
    await trial.gateway.gateway.settled()
    await trial.paidOnce('the customer pressed the button again')
  },
}
