import { judgeAsCharged } from '../moves.ts'
import type { Scenario } from '../scenario.ts'
import { Wrong } from '../verdict.ts'

export const classicReplies: Scenario = {
  id: 'classic-replies',
  group: 'replies',
  title: 'replies are in the classic form, and every value ends with a line feed',
  right:
    'A gateway that has no JSON, or is not asked for it, answers with pairs, each value with a line feed at ' +
    'its end: a reader trims it [G2.1-01] [G2.1-02]. Untrimmed, an address leads nowhere, and `approved\\n` is ' +
    'not `approved`.',
  cost: 'lostSale',
  settings: { isVerbose: true },
  run: async (trial) => {
    let isClassic = true
    trial.gateway.intercept = async ({ request }, proceed) => {
      isClassic &&= !/vnd\.pay\+json/.test(String(request.headers['accept']))
      return await proceed({ ...request, headers: { ...request.headers, accept: '*/*' } })
    }
    const page = await trial.begin()
    if (isClassic || page.leadsTo !== undefined) {
      if (page.leadsTo !== undefined) await trial.comeBack({ back: await trial.payOn(page.leadsTo) })
      else if (!trial.isDirect) throw new Wrong(`the shop does not lead the customer to the gateway (${page.status})`)
      await trial.gateway.gateway.settled()
      return await trial.paidOnce()
    }
    trial.note('the shop asks for JSON, and does not read the classic form')
    await judgeAsCharged(trial, 'the reply was in the classic form')
  },
}
