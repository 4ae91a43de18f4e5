import type { Timeline } from '@tallystick/gateway'

/** What the gateway has taken and given back, of a trial's orders. */
export interface Money {
  readonly orders: readonly Timeline[]
  /** Approved payments. */
  readonly payments: readonly { readonly clientOrderId: string; readonly amount: string; readonly currency: string }[]
  /** What went back by refunds, reversals and chargebacks: minor units of a hundred. */
  readonly givenBack: bigint
}

const GIVES_BACK: ReadonlySet<string> = new Set(['reversal', 'cancel', 'chargeback', 'return'])

export function moneyOf(orders: readonly Timeline[]): Money {
  const payments = orders.flatMap(({ clientOrderId, currency, operations }) => {
    const [opening] = operations
    const isTaken = opening !== undefined && opening.status === 'approved'
    return isTaken ? [{ clientOrderId, amount: String(opening.amount), currency: String(currency) }] : []
  })
  const back = orders.flatMap(({ operations }) =>
    operations.filter(({ kind, status }) => GIVES_BACK.has(kind) && status === 'approved'),
  )
  return { orders, payments, givenBack: back.reduce((sum, { amount }) => sum + hundredths(String(amount)), 0n) }
}

/** Minor units of any currency: the interface counts two decimals. */
export function hundredths(amount: string): bigint {
  const [units = '0', decimals = ''] = amount.split('.')
  return BigInt(`${units}${decimals.padEnd(2, '0').slice(0, 2)}`)
}

/** A payment, for a line of the report. */
export function asText({ clientOrderId, amount, currency }: Money['payments'][number]): string {
  return `${amount} ${currency} as ${clientOrderId}`
}

/** The amount of so many hundredths. */
export function major(amount: bigint): string {
  const digits = String(amount).padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}
