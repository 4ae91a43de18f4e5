import type { Background } from '../background.ts'
import type { Clock } from '../clock.ts'
import type { Change } from '../store/store.ts'
import type { FaultDesk } from './fault-desk.ts'

const AFTER_MS = 60_000

export interface ChargebackDependencies {
  readonly desk: FaultDesk
  readonly clock: Clock
  readonly background: Background
  readonly chargeBack: (orderId: string) => Promise<unknown>
}

/** Has the issuer take back what is left, once a part of an order was returned. Where nothing is left, the rules refuse it. */
export function chargebackAfterReturn(change: Change, dependencies: ChargebackDependencies): void {
  const { desk, clock, background, chargeBack } = dependencies
  const { order, postings = [] } = change
  if (order === undefined || !desk.of(order.order).has('chargeback-after-return')) return
  const { orderId, operations } = order.order
  const moved = new Set(postings.map(({ operationId }) => operationId))
  if (!operations.some(({ id, kind }) => kind === 'reversal' && moved.has(id))) return
  clock.schedule(AFTER_MS, () => background.runToEnd(async () => void (await chargeBack(orderId))))
}
