import type { Schedule } from '@tallystick/core'
import type { OrderPayer } from '../orders/order.ts'

/** A recurring payment as it was created (interface part 4; gaps part 3.4). Its charges are orders of their own. */
export interface RecurringPayment {
  readonly recurringPaymentId: string
  readonly login: string
  readonly endpointId: string
  readonly clientOrderId: string
  /** Keyed digest of the request without its CVV. */
  readonly digest: string
  readonly serialNumber: string
  readonly createdAt: number
  readonly cardId: string
  /** Whether the card pays (SRC) or receives (DST). */
  readonly cardType: 'SRC' | 'DST'
  readonly currency: string
  /** Amounts in minor units. */
  readonly amount: RecurringAmount
  /** Absent: charged only on request. */
  readonly schedule?: Schedule | undefined
  /** `YYYY-MM-DD`: the last day on which its id stands for the card, with or without a schedule. Absent: no last day. */
  readonly finishDate?: string | undefined
  /** Who pays, as the status and the callbacks of each charge report it. */
  readonly payer: OrderPayer
  /** The rest of its request besides the card, sealed: the acquirer receives it with each charge. */
  readonly particulars?: string | undefined
  readonly orderDesc?: string | undefined
  readonly serverCallbackUrl?: string | undefined
}

/** A fixed amount, one chosen from a range at each charge, or a sequence of amounts. */
export type RecurringAmount =
  | { readonly kind: 'fixed'; readonly amount: bigint }
  | { readonly kind: 'range'; readonly from: bigint; readonly to: bigint }
  | { readonly kind: 'sequence'; readonly amounts: readonly bigint[] }
