import { callbackOf, openUnpaid, withParameters } from '../moves.ts'
import type { Scenario } from '../scenario.ts'

export const callbackWithoutControl: Scenario = {
  id: 'callback-without-control',
  group: 'callbacks',
  title: 'a callback without a control says that the order is paid',
  right:
    "A callback without a control, or with an empty one, is nobody's [G6-07]. A shop that compares only if " +
    'there is one can be told anything.',
  cost: 'freeGoods',
  run: async (trial) => {
    await openUnpaid(trial)
    const url = await callbackOf(trial, {}, 'not-the-key')
    await trial.deliver(withParameters(url, { control: undefined }))
    await trial.deliver(withParameters(url, { control: '' }))
    await trial.deliver(withParameters(url, { control: undefined }), 'POST')
    await trial.staysUnpaid('a callback without control said approved')
  },
}
