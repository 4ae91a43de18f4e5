import { callbackOf, openUnpaid, staysUndecided } from '../moves.ts'
import type { Scenario } from '../scenario.ts'

export const callbackUnknownStatus: Scenario = {
  id: 'callback-unknown-status',
  group: 'callbacks',
  title: 'a callback has a status that nobody knows',
  right:
    'The list of statuses is open. What is neither final nor known is undecided [G5-01] [G5-02]: not paid, ' +
    'and not failed.',
  cost: 'freeGoods',
  run: async (trial) => {
    const { form } = await openUnpaid(trial)
    await trial.deliver(await callbackOf(trial, { status: 'under-review' }))
    await staysUndecided(trial, 'a callback had a status that nobody knows')
    if (form === undefined) return
    await trial.comeBack({ back: await trial.payOn(form) })
    await trial.paidOnce()
  },
}
