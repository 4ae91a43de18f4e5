import { chargeBack } from '../flow/chargeback.ts'
import type { Service } from '../flow/service.ts'
import type { Change } from '../store/store.ts'
import type { FaultDesk } from './fault-desk.ts'

const AFTER_MS = 60_000

/** Has the issuer take back what is left, once a part of an order was returned. Where nothing is left, the rules refuse it. */
export function chargebackAfterReturn(change: Change, desk: FaultDesk, service: Service): void {
  const { order, postings = [] } = change
  if (order === undefined || !desk.of(order.order).has('chargeback-after-return')) return
  const { orderId, operations } = order.order
  const moved = new Set(postings.map(({ operationId }) => operationId))
  if (!operations.some(({ id, kind }) => kind === 'reversal' && moved.has(id))) return
  const { clock, background } = service
  clock.schedule(AFTER_MS, () => background.runToEnd(async () => void (await chargeBack(orderId, {}, service))))
}
