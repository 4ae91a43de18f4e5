import { hundredths } from '../money.ts'
import type { Scenario } from '../scenario.ts'
import { Wrong } from '../verdict.ts'

export const amountCents: Scenario = {
  id: 'amount-cents',
  group: 'plain',
  title: 'amounts that floats cannot hold: 0.29, 1.15, 4.35, 8.20, 19.99',
  right:
    'Minor units are computed from text, never by floats [G7.1-03]: 4.35 times 100 is 434.99999999999994, and ' +
    'a shop that cuts it off signs, or charges, a cent less.',
  cost: 'lostSale',
  run: async (trial) => {
    trial.needsAmount()
    for (const amount of ['0.29', '1.15', '4.35', '8.20', '19.99']) {
      const other = trial.another({ amount })
      const page = await other.begin()
      const [opening] = other.openings
      const sent = opening?.fields.get('amount')
      if (sent === undefined) throw new Wrong(`of ${amount}, the shop sends nothing to the gateway (${page.status})`)
      if (hundredths(sent) !== hundredths(amount))
        throw new Wrong(`of ${amount}, the shop sends ${sent}`, 'wrongAmount')
      const { orders } = await other.money()
      if (orders.length === 0)
        throw new Wrong(`of ${amount}, the gateway refuses what the shop sends: the control does not fit`)
    }
  },
}
