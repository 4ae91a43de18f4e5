import { callbackOf, payUnknown, returnAddress, staysUndecided } from '../moves.ts'
import type { Scenario } from '../scenario.ts'
import { Wrong } from '../verdict.ts'

export const returnBeforeOutcome: Scenario = {
  id: 'return-before-outcome',
  group: 'customer',
  title: 'the customer comes back before the outcome is known',
  right:
    'The browser may be back before the outcome is known [G6-10]. The shop shows that it waits: neither ' +
    'thanks, which would be a promise, nor failure, which would make the customer pay again.',
  cost: 'nothingForMoney',
  run: async (trial) => {
    await payUnknown(trial, 'unknown-then-approved')
    const to = returnAddress(trial)
    const url = new URL(await callbackOf(trial, { status: 'processing' }))
    const page = await trial.comeBack({ back: { to, fields: Object.fromEntries(url.searchParams) } })
    if (page !== undefined && (page.status === 0 || page.status >= 400))
      throw new Wrong(`the customer comes back before the outcome is known, and sees an error: ${page.status}`)
    await staysUndecided(trial, 'the customer is back, and the outcome is not known')
    await trial.advance('5m')
    await trial.paidOnce()
  },
}
