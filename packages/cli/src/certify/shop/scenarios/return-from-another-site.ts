import type { Scenario } from '../scenario.ts'
import { CannotJudge, Wrong } from '../verdict.ts'

export const returnFromAnotherSite: Scenario = {
  id: 'return-from-another-site',
  group: 'customer',
  title: "the browser comes back without the shop's cookies",
  right:
    'The return is a form that another site posts [G6-10], so that a browser leaves out cookies of ' +
    '`SameSite=Lax`, which is also what a cookie is without the word. The shop finds the order by what the ' +
    'address and the fields say, and shows it.',
  cost: 'nothingForMoney',
  run: async (trial) => {
    const { back } = await trial.pay()
    if (back === undefined) throw new CannotJudge('the browser does not come back: the shop takes the card itself')
    const without = await trial.comeBack({ back })
    const withCookies = await trial.comeBack({ back }, false)
    if (without === undefined || withCookies === undefined) return
    if (without.status === 0 || without.status >= 400)
      throw new Wrong(`the customer who has paid comes back from the gateway, and sees an error: ${without.status}`)
    if (new URL(without.url).pathname !== new URL(withCookies.url).pathname)
      throw new Wrong(
        `the session is lost: without the cookies the customer ends at ${without.url}, with them at ${withCookies.url}`,
      )
    await trial.paidOnce()
  },
}
