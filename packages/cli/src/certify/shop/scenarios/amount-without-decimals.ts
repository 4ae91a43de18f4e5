import type { Scenario } from '../scenario.ts'

export const amountWithoutDecimals: Scenario = {
  id: 'amount-without-decimals',
  group: 'plain',
  title: 'a currency without decimals: 1042 JPY',
  right:
    'The body has the amount in major units, 1042; the control has it with two decimals for every currency, ' +
    '104200, unless the gateway says otherwise [G13-06]. A shop that divides everything by 100 charges 10 ' +
    'yen, or a hundred times too much.',
  cost: 'wrongAmount',
  settings: { amount: '1042', currency: 'JPY' },
  run: async (trial) => {
    trial.needsAmount()
    trial.needs('currency')
    await trial.buy()
    await trial.paidOnce()
  },
}
