import { judgeAsCharged, onFirstOpening, requireNotSentBlindly } from '../moves.ts'
import type { Scenario } from '../scenario.ts'
import { Wrong } from '../verdict.ts'

export const redirect: Scenario = {
  id: 'redirect',
  group: 'replies',
  title: 'the gateway redirects the payment to another address',
  right:
    'A redirect is no reply, and is not followed: a request is signed for one address, and holds the card or ' +
    "the customer's data, which another address must not get [S2-04].",
  cost: 'cardLeaked',
  run: async (trial) => {
    onFirstOpening(trial, async ({ fields }) => {
      const location = `${trial.origin}/elsewhere/${fields.get('client_orderid') ?? ''}`
      return { status: 307, headers: { location, 'content-type': 'text/html' }, body: '<p>Moved</p>' }
    })
    const page = await trial.begin()
    const followed = trial.gateway.elsewhere.find(({ body }) => body !== '')
    if (followed !== undefined) {
      const what = followed.body.includes('credit_card_number') ? 'the card' : "the customer's data"
      throw new Wrong(`the shop has followed the redirect, and has sent ${what} to another address`)
    }
    trial.note(`the redirect was not followed: ${page.status}`)
    await trial.wait(trial.shop.file.quiet * 1000)
    requireNotSentBlindly(trial)
    await judgeAsCharged(trial, 'the payment was redirected')
  },
}
