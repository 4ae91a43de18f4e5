import type { RecurringAmount, RecurringPayment } from './recurring-payment.ts'

/** JSON has no integers beyond 2^53, so amounts are texts. */
type AmountText =
  | { readonly kind: 'fixed'; readonly amount: string }
  | { readonly kind: 'range'; readonly from: string; readonly to: string }
  | { readonly kind: 'sequence'; readonly amounts: readonly string[] }

/** A recurring payment as a database stores it. */
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
