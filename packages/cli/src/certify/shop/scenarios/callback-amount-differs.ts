import { requireNotDelivered, withParameters, withValues } from '../moves.ts'
import type { Scenario } from '../scenario.ts'

export const callbackAmountDiffers: Scenario = {
  id: 'callback-amount-differs',
  group: 'callbacks',
  title: 'callback and status are about less money than the order',
  right:
    'The control of a callback does not cover the amount [G6-09], and a gateway may have taken less than was ' +
    'asked for. Before goods leave, the amount of the status is compared with the price, as numbers.',
  cost: 'wrongAmount',
  run: async (trial) => {
    const amount = '1.00'
    trial.gateway.intercept = async ({ operation }, proceed) =>
      operation === 'status' ? withValues(await proceed(), { amount, 'initial-amount': amount }) : await proceed()
    trial.gateway.interceptCallback = (url, deliver) => deliver(withParameters(url, { amount }))
    await trial.buy()
    await requireNotDelivered(trial, `of ${trial.openings[0]?.fields.get('amount')}, only ${amount} was paid`)
  },
}
