import { openUnpaid } from '../moves.ts'
import type { Scenario } from '../scenario.ts'
import { Wrong } from '../verdict.ts'

const WINDOW_MS = 8000
/** G5-03 has two or three. */
const MOST_WAITING = 16
const MOST_KNOWN = 3

export const pollsWithoutEnd: Scenario = {
  id: 'polls-without-end',
  group: 'shop',
  title: 'the shop goes on asking for the status when all is known',
  right:
    'The status is asked for every 3 to 5 s, then more rarely [G5-03], and not at all once it is final ' +
    '[G5-01]. A shop that never stops is shut out one day, with all its customers.',
  cost: 'shutOut',
  // Others move the shop's clock on, by which it asks more often.
  isAlone: true,
  waits: true,
  run: async (trial) => {
    const statuses = () => trial.gateway.calls.filter(({ operation }) => operation === 'status').length
    const waiting = await openUnpaid(trial)
    const before = statuses()
    await trial.wait(WINDOW_MS)
    const asked = statuses() - before
    if (asked > MOST_WAITING)
      throw new Wrong(`while the customer types, the shop asks for the status ${asked} times in 8 s`)
    if (waiting.form === undefined) return
    await trial.comeBack({ back: await trial.payOn(waiting.form) })
    await trial.paidOnce()
    await trial.wait(3000)
    const known = statuses()
    await trial.wait(WINDOW_MS)
    const more = statuses() - known
    if (more > MOST_KNOWN)
      throw new Wrong(`the outcome is known, and the shop asks for the status ${more} times in 8 s`)
  },
}
