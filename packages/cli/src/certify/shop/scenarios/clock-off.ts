import type { Scenario } from '../scenario.ts'

export const clockOff: Scenario = {
  id: 'clock-off',
  group: 'shop',
  title: 'the clocks of shop and gateway are an hour apart',
  right:
    "A shop's clock may be wrong, and a gateway may be in another zone: the control has no time in it " +
    '[S5.1-01]. Nothing of a payment depends on whose clock is right.',
  cost: 'nothingForMoney',
  run: async (trial) => {
    const ahead = trial.another({ clockOffsetMs: 3_600_000 })
    const behind = trial.another({ clockOffsetMs: -3_600_000 })
    await Promise.all([ahead.buy(), behind.buy()])
    await Promise.all([
      ahead.paidOnce("the gateway's clock is an hour ahead"),
      behind.paidOnce("the gateway's clock is an hour behind"),
    ])
  },
}
