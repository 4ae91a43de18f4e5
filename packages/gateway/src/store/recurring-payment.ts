import type { ChargeDate, Schedule } from '@tallystick/core/internal'
import type { OrderPayer } from '../orders/order.ts'

/** A recurring payment as it is now (interface part 4; gaps part 3.4 and 14). Its charges are orders of their own. */
export interface RecurringPayment {
  readonly recurringPaymentId: string
  /** 1 when it is created. A change of it has the next number, and is written only over the one before. */
  readonly version: number
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
  readonly requestFields?: string | undefined
  readonly orderDesc?: string | undefined
  readonly serverCallbackUrl?: string | undefined
  /** Charges nothing more, neither on a schedule nor on request, until it is active again. */
  readonly isStopped?: boolean | undefined
  /** The next charge of its schedule, which has a task. A task of another was claimed before an update. */
  readonly nextCharge?: ChargeDate | undefined
  /** The last charge that its schedule made: the numbers go on from it, and no day is charged twice, whatever is changed. */
  readonly lastCharge?: ChargeDate | undefined
  /** How many charges had been made by the schedule when its card was last changed. Default 0. */
  readonly cardSince?: number | undefined
  /** How many charges had been made by the schedule when the amounts of a sequence were last changed. Default 0. */
  readonly sequenceSince?: number | undefined
  /** How many charges on request took their amount from a sequence. Default 0. */
  readonly sequenceTaken?: number | undefined
  /** The last updates that were carried out, the latest last: a repeat of one of them changes nothing. */
  readonly updates?: readonly Pick<RecurringPayment, 'clientOrderId' | 'digest' | 'serialNumber'>[] | undefined
}

/** A fixed amount, one chosen from a range at each charge, or a sequence of amounts. */
export type RecurringAmount =
  | { readonly kind: 'fixed'; readonly amount: bigint }
  | { readonly kind: 'range'; readonly from: bigint; readonly to: bigint }
  | { readonly kind: 'sequence'; readonly amounts: readonly bigint[] }

/** The payment as its next version: what is written over the one that was read. */
export function changed(payment: RecurringPayment): RecurringPayment {
  return { ...payment, version: payment.version + 1 }
}

/** JSON has no integers beyond 2^53, so amounts are texts. */
type AmountText =
  | { readonly kind: 'fixed'; readonly amount: string }
  | { readonly kind: 'range'; readonly from: string; readonly to: string }
  | { readonly kind: 'sequence'; readonly amounts: readonly string[] }

export function encodeRecurringPayment({ amount, ...payment }: RecurringPayment): string {
  return JSON.stringify({ ...payment, amount: encodeAmount(amount) })
}

export function decodeRecurringPayment(text: string): RecurringPayment {
  const { amount, ...payment } = JSON.parse(text) as Omit<RecurringPayment, 'amount'> & { readonly amount: AmountText }
  return { ...payment, amount: decodeAmount(amount) }
}

function encodeAmount(amount: RecurringAmount): AmountText {
  switch (amount.kind) {
    case 'fixed':
      return { kind: 'fixed', amount: String(amount.amount) }
    case 'range':
      return { kind: 'range', from: String(amount.from), to: String(amount.to) }
    case 'sequence':
      return { kind: 'sequence', amounts: amount.amounts.map(String) }
  }
}

function decodeAmount(amount: AmountText): RecurringAmount {
  switch (amount.kind) {
    case 'fixed':
      return { kind: 'fixed', amount: BigInt(amount.amount) }
    case 'range':
      return { kind: 'range', from: BigInt(amount.from), to: BigInt(amount.to) }
    case 'sequence':
      return { kind: 'sequence', amounts: amount.amounts.map(BigInt) }
  }
}
