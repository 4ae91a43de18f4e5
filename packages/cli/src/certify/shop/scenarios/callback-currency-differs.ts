import { requireNotDelivered, withParameters, withValues } from '../moves.ts'
import type { Scenario } from '../scenario.ts'

export const callbackCurrencyDiffers: Scenario = {
  id: 'callback-currency-differs',
  group: 'callbacks',
  title: 'callback and status are about another currency than the order',
  right:
    '10 in one currency are not 10 in another. The control covers neither [G6-09]: before goods leave, the ' +
    'currency is compared as well as the amount.',
  cost: 'wrongAmount',
  run: async (trial) => {
    const currency = 'VND'
    trial.gateway.intercept = async ({ operation }, proceed) =>
      operation === 'status' ? withValues(await proceed(), { currency }) : await proceed()
    trial.gateway.interceptCallback = (url, deliver) => deliver(withParameters(url, { currency }))
    await trial.buy()
    await requireNotDelivered(
      trial,
      `the order is in ${trial.openings[0]?.fields.get('currency')}, and ${currency} was paid`,
    )
  },
}
