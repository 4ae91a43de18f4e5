import type { Scenario } from '../scenario.ts'

export const callbackNever: Scenario = {
  id: 'callback-never',
  group: 'callbacks',
  title: 'no callback comes',
  right:
    'A callback can be lost for good; the outcome is also asked for by the status operation [S4-41], every ' +
    'few seconds at first and then more rarely [G5-03]. A shop that only waits leaves a paid customer without ' +
    'goods.',
  cost: 'nothingForMoney',
  waits: true,
  run: async (trial) => {
    trial.gateway.interceptCallback = async () => ({ status: 0, failure: 'lost' })
    await trial.buy()
    await trial.paidOnce('no callback has come')
  },
}
