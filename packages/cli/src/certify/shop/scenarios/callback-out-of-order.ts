import { callbackOf, payUnknown } from '../moves.ts'
import type { Scenario } from '../scenario.ts'

export const callbackOutOfOrder: Scenario = {
  id: 'callback-out-of-order',
  group: 'callbacks',
  title: 'an older callback comes after the newer one',
  right:
    'A callback is sent for `unknown` as well, and may be followed by one of the outcome [G14-13]; the ' +
    'network may turn them round. The later status counts, which asking for the status shows [S6-04]: an ' +
    'order that is approved does not become undecided again.',
  cost: 'nothingForMoney',
  run: async (trial) => {
    const older: string[] = []
    trial.gateway.interceptCallback = async (url, deliver) => {
      if (new URL(url).searchParams.get('status') !== 'unknown') return await deliver(url)
      older.push(url)
      return { status: 200 }
    }
    await payUnknown(trial, 'unknown-then-approved')
    await trial.advance('5m')
    await trial.paidOnce()
    const late = older[0] ?? (await callbackOf(trial, { status: 'unknown' }))
    await trial.deliver(late)
    await trial.wait(trial.shop.file.quiet * 1000)
    await trial.becomes('paid', 'an older callback came after the one of the outcome')
    await trial.deliversOnce('an older callback came after the one of the outcome')
  },
}
