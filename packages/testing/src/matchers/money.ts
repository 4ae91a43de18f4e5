import type { Timeline } from '@tallystick/gateway'

/** An order of the gateway, or several. */
export type Orders = Timeline | readonly Timeline[]

export type Posting = Timeline['postings'][number]

/** @throws TypeError for what is no order: `not` would turn a judgement about nothing into a test that passes */
export function ordersOf(orders: Orders): readonly Timeline[] {
  const all: readonly unknown[] = Array.isArray(orders) ? orders : [orders]
  if (all.every(isOrder)) return all
  const stranger = all.find((one) => !isOrder(one))
  const what = stranger === null || stranger === undefined ? `${stranger} is` : 'This is'
  throw new TypeError(`${what} no order of the gateway: give await gateway.order(id), or await gateway.orders()`)
}

function isOrder(one: unknown): one is Timeline {
  return typeof one === 'object' && one !== null && 'postings' in one && 'operations' in one
}

/** The sandbox writes amounts in major units; four decimals hold those of every currency of ISO 4217. */
const DECIMALS = 4

/** What the postings come to, in ten thousandths of a major unit. */
export function total(postings: readonly Posting[]): bigint {
  return postings.reduce((sum, { amount }) => sum + parseAmount(amount), 0n)
}

export function parseAmount(amount: string): bigint {
  const [whole = '', decimals = ''] = amount.split('.')
  return BigInt(whole + decimals.padEnd(DECIMALS, '0'))
}

export function showAmount(amount: bigint): string {
  const digits = `${amount < 0n ? -amount : amount}`.padStart(DECIMALS + 1, '0')
  const decimals = digits.slice(-DECIMALS).replace(/0{1,2}$/, '')
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -DECIMALS)}.${decimals}`
}
