import { callbackOf, openUnpaid, withParameters } from '../moves.ts'
import type { Scenario } from '../scenario.ts'

export const callbackForged: Scenario = {
  id: 'callback-forged',
  group: 'callbacks',
  title: 'a forged callback says that the order is paid',
  right:
    'Anybody can call the shop. The control of a callback is made with the key [G6-07]: what does not match ' +
    'is refused, whatever its type, and changes nothing.',
  cost: 'freeGoods',
  run: async (trial) => {
    await openUnpaid(trial)
    const url = await callbackOf(trial, {}, 'not-the-key')
    await trial.deliver(url)
    await trial.deliver(url, 'POST')
    await trial.deliver(withParameters(url, { control: '0'.repeat(40) }))
    await trial.deliver(withParameters(url, { control: '0' }))
    // Where a language compares loosely, these are equal to any text.
    for (const control of [true, 0, []]) await trial.deliverJson(url, { control })
    await trial.staysUnpaid('a forged callback said approved')
  },
}
