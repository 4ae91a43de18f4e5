import { cards } from '@tallystick/testing'
import type { Scenario } from '../scenario.ts'
import { CannotJudge } from '../verdict.ts'

export const returnWithoutPayment: Scenario = {
  id: 'return-without-payment',
  group: 'customer',
  title: 'the customer comes back from a declined payment, with the status changed',
  right:
    'The browser comes back whatever the outcome [G6-10], and its owner can change what it brings. The shop ' +
    'asks for the status.',
  cost: 'freeGoods',
  run: async (trial) => {
    const { back } = await trial.pay(cards.insufficientFunds)
    if (back === undefined) throw new CannotJudge('the browser does not come back: the shop takes the card itself')
    await trial.comeBack({ back: { ...back, fields: { ...back.fields, status: 'approved', error_code: '' } } })
    await trial.notPaid('the payment was declined, and the browser said approved')
  },
}
