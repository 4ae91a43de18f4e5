import type { Scenario } from '../scenario.ts'

export const callbackTwiceAtOnce: Scenario = {
  id: 'callback-twice-at-once',
  group: 'callbacks',
  title: 'the callback comes over two connections at once',
  right:
    'Two copies of a callback may be handled at the same moment [G6-05]: what guards against the second must ' +
    'be a constraint in the database, not a look before a write.',
  cost: 'deliveredTwice',
  run: async (trial) => {
    trial.gateway.interceptCallback = async (url, deliver) => {
      const answers = await Promise.all(Array.from({ length: 4 }, () => deliver(url)))
      return answers.find(({ status }) => status === 200) ?? { status: 0, failure: 'none was acknowledged' }
    }
    await trial.buy()
    await trial.paidOnce('the callback came four times at once')
  },
}
