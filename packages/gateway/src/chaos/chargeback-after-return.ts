import { chargeBack } from '../flow/chargeback.ts'
import type { Service } from '../flow/service.ts'
import type { Change } from '../store/store.ts'
import type { FaultDesk } from './fault-desk.ts'

const AFTER_MS = 60_000

/**
 * Has the issuer take back what is left, once a part of an order was returned. Where nothing is left, the rules refuse it.
 * A clock that is told to go on waits for the callback too: it would be due again while it is on its way.
 */
export function chargebackAfterReturn(change: Change, desk: FaultDesk, service: Service): void {
  const { order, postings = [] } = change
  if (order === undefined || !desk.of(order.order).has('chargeback-after-return')) return
  const { orderId, operations } = order.order
  const moved = new Set(postings.map(({ operationId }) => operationId))
  if (!operations.some(({ id, kind }) => kind === 'reversal' && moved.has(id))) return
  const { clock, background } = service
  clock.schedule(AFTER_MS, async () => {
    await background.runToEnd(async () => void (await chargeBack(orderId, {}, service)))
    await background.settled()
  })
}
