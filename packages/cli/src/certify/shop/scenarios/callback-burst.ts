import { callbackOf, lastCallback } from '../moves.ts'
import type { Scenario } from '../scenario.ts'
import { Wrong } from '../verdict.ts'

export const callbackBurst: Scenario = {
  id: 'callback-burst',
  group: 'callbacks',
  title: 'a thousand callbacks come in a burst',
  right:
    'After an outage a gateway sends all that has waited, several copies of one callback among it [G13-03]. ' +
    'The shop may be slow, or refuse some, which come again; it delivers once, and goes on.',
  cost: 'deliveredTwice',
  isAlone: true,
  run: async (trial) => {
    await trial.pay()
    const url = lastCallback(trial, await callbackOf(trial, {}))
    const urls = Array.from({ length: 1000 }, () => url)
    const answers: number[] = []
    const connections = Array.from({ length: 50 }, async () => {
      for (let next = urls.pop(); next !== undefined; next = urls.pop()) answers.push(await trial.deliverQuietly(next))
    })
    await Promise.all(connections)
    const good = answers.filter((status) => status === 200).length
    trial.note(`gateway -> shop  1000 callbacks: ${good} answered with 200`)
    if (good === 0) throw new Wrong('of 1000 callbacks none was acknowledged', 'callbacksLost')
    await trial.paidOnce('a thousand callbacks came')
  },
}
