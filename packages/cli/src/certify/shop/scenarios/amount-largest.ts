import type { Scenario } from '../scenario.ts'
import { CannotJudge, Wrong } from '../verdict.ts'

export const amountLargest: Scenario = {
  id: 'amount-largest',
  group: 'plain',
  title: 'a large amount, 9999999.99',
  right:
    'An amount has at most 10 characters [G3-01], and 9999999.99 is one: no thousands separator, no exponent, ' +
    "no rounding to a float's digits.",
  cost: 'wrongAmount',
  settings: { amount: '9999999.99' },
  run: async (trial) => {
    trial.needsAmount()
    const page = await trial.begin()
    if (trial.openings.length === 0 && page.status >= 400 && page.status < 500)
      throw new CannotJudge(`the shop takes no order of 9999999.99 (${page.status})`)
    if (page.leadsTo !== undefined) await trial.comeBack({ back: await trial.payOn(page.leadsTo) })
    else if (!trial.isDirect) throw new Wrong('the shop does not lead the customer to the gateway', 'lostSale')
    await trial.paidOnce()
  },
}
