import { lastCallback, requireAcknowledged } from '../moves.ts'
import type { Scenario } from '../scenario.ts'

export const callbackTwice: Scenario = {
  id: 'callback-twice',
  group: 'callbacks',
  title: 'the callback comes twice',
  right:
    'The same status, type, orderid and client_orderid make a duplicate [G6-05]. It is acknowledged with 200 ' +
    'like the first [G6-03], and delivers nothing more. A shop that answers it with an error is called again ' +
    'for days.',
  cost: 'deliveredTwice',
  run: async (trial) => {
    trial.gateway.interceptCallback = async (url, deliver) => {
      const answer = await deliver(url)
      if (answer.status === 200) await requireAcknowledged(deliver, url)
      return answer
    }
    await trial.buy()
    await trial.paidOnce('the callback came twice')
    await requireAcknowledged((url) => trial.deliver(url), lastCallback(trial))
    await trial.deliversOnce('the callback came once more')
  },
}
