import { type Check, Finding, requireReply } from '../check.ts'
import { part } from '../orders.ts'
import { refusesChanged } from '../refuses-changed.ts'

/** On this all others depend. */
export const credentialsCheck: Check = {
  claim: 'accepts the login, the endpoint and the control key',
  source: 'part 5.1',
  run: async ({ client }) => {
    const check = await client.checkCredentials()
    if (check.credentials === 'right') return
    requireReply('the status of an order that cannot exist', check.error)
    throw new Finding(check.remedy)
  },
}

/** What protects the merchant's payments from everybody else. */
export const controlChecks: readonly Check[] = [
  {
    claim: 'refuses a wrong control, and creates nothing',
    source: 'part 5.1',
    run: async (candidate) => await refusesChanged({ control: '0'.repeat(40) }, candidate),
  },
  {
    claim: 'refuses a sale without a control, and creates nothing',
    source: 'part 5.1',
    run: async (candidate) => await refusesChanged({ control: undefined }, candidate),
  },
  {
    claim: 'refuses another amount under the same control, and creates nothing',
    source: 'part 5.1',
    run: async (candidate) => await refusesChanged({ amount: part(candidate) }, candidate),
  },
]
