import type { Scenario } from '../scenario.ts'

export const callbackByPost: Scenario = {
  id: 'callback-by-post',
  group: 'callbacks',
  title: 'callbacks come by POST',
  right: 'A callback is a GET; a receiver reads POST as well [G6-01].',
  cost: 'nothingForMoney',
  run: async (trial) => {
    trial.gateway.interceptCallback = (url, deliver) => deliver(url, 'POST')
    await trial.buy()
    await trial.paidOnce('the callback came by POST')
  },
}
