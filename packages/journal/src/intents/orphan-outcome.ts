import type { PaymentOutcome } from '@tallystick/client'
import type { Intent } from '@tallystick/client/ports'

/** The outcome of an order without an intent. */
export interface OrphanOutcome extends PaymentOutcome, OrphanReport {
  readonly kind: 'outcome'
  readonly change?: never
}

/**
 * What happened to an order without an intent after its outcome, such as a chargeback. The status shows only the last operation: this
 * may be the first report of the order, if its outcome was never seen. `change` is absent if the status does not name it, as when
 * a chargeback was won back.
 */
export interface OrphanNotice extends PaymentOutcome, OrphanReport {
  readonly kind: 'notice'
}

export type OrphanHandler = (outcome: OrphanOutcome) => void | Promise<void>

export type OrphanNoticeHandler = (notice: OrphanNotice) => void | Promise<void>

/** What every report of an order without an intent has, beside its confirmed status. */
interface OrphanReport {
  /** The same if the same is reported again, another one for each change: deduplicate by it. */
  readonly key: string
  /** The intent that created the recurring payment of which this order is a charge, if this journal has it. */
  readonly recurringPayment?: Intent
  /** The intent that made another order under the same client order id: the gateway took the same request twice. */
  readonly repeatOf?: Intent
}
