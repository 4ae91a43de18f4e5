import { maskCardNumbers } from '@tallystick/core'
import type { Timeline } from '@tallystick/gateway'

/** What a matcher found, with the reason in words. */
export interface Judgement {
  readonly pass: boolean
  /** Why it is so, as a sentence. */
  readonly reason: string
}

/** Masks card numbers in the reason, because it may quote a gateway, which may quote what it was sent. */
export function judge(pass: boolean, reason: string): Judgement {
  return { pass, reason: maskCardNumbers(reason) }
}

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

/** An order of the gateway, or several. */
export type Orders = Timeline | readonly Timeline[]

/** @throws TypeError if something is no order: with `not`, a judgement about nothing would make the test pass */
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

/**
 * Finds a forgotten `await`: a promise has no status and is no order, and with `not` that would make the test pass.
 *
 * @throws TypeError for a promise
 */
export function awaited<Value>(value: Value): Value {
  if (value instanceof Promise) throw new TypeError('This is a Promise: await it')
  return value
}
