import { payOnBoth } from '../moves.ts'
import type { Scenario } from '../scenario.ts'

export const formLeft: Scenario = {
  id: 'form-left',
  group: 'plain',
  title: 'the customer leaves the form, and comes back to it later',
  right:
    'The order stays as it is while nobody pays [G5-02]. Pressing the button again leads to the same form, or ' +
    'to another one of which only one can be paid: the customer pays once.',
  cost: 'chargedTwice',
  run: async (trial) => {
    const { form, begun } = await trial.openForm()
    await trial.advance('10m')
    await trial.staysUnpaid('the customer has left the form')
    const again = await trial.begin()
    trial.note(again.leadsTo === form ? 'the same form' : 'another form')
    await payOnBoth(trial, [again, begun])
  },
}
