import type { Service } from '../context.ts'
import { chargeBack } from '../processing/chargeback.ts'
import type { Change } from '../store/store.ts'
import type { FaultDesk } from './fault-plan.ts'

const AFTER_MS = 60_000

/** On whose word the money is taken back. */
const FAULT = { who: 'a fault on demand', why: 'chargeback-after-return' }

/**
 * Has the issuer charge back what is left once a part of an order was refunded. If nothing is left, the rules refuse it.
 * A clock that is being advanced waits for the callback too. Otherwise the callback would be due again while it is under way.
 */
export function chargebackAfterReturn(change: Change, desk: FaultDesk, service: Service): void {
  const { order, postings = [] } = change
  if (order === undefined || !desk.of(order.order).has('chargeback-after-return')) return
  const { orderId, operations } = order.order
  const moved = new Set(postings.map(({ operationId }) => operationId))
  if (!operations.some(({ id, kind }) => kind === 'reversal' && moved.has(id))) return
  const { clock, background } = service
  clock.schedule(AFTER_MS, async () => {
    await background.runToEnd(async () => void (await chargeBack(orderId, {}, FAULT, service)))
    await background.settled()
  })
}
