import type { Timeline } from '@tallystick/gateway'

export type Posting = Timeline['postings'][number]

/** The sandbox writes amounts in major units. Four decimals are enough for every currency of ISO 4217. */
const DECIMALS = 4

/** The sum of the postings, in ten thousandths of a major unit. */
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
