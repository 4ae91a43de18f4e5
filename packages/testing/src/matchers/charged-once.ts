import type { Timeline } from '@tallystick/gateway'
import { type Judgement, judge, type Orders, ordersOf, parseAmount, showAmount, total } from './judgement.ts'

/** What a customer was to be charged. An input, such as that of the sale, has both. */
export interface Charged {
  /** In major units, such as `'10.42'`. */
  readonly amount: string
  /** Default: whatever the gateway charged. */
  readonly currency?: string | undefined
}

interface Money {
  readonly amount: bigint
  readonly currency?: string | undefined
}

interface Charge extends Money {
  readonly what: string
}

/**
 * Whether a customer was charged exactly once: of all operations of the given orders, one brought money to the merchant, and
 * just what was expected if that is said. A charge that was refunded later still counts.
 */
export function judgeChargedOnce(orders: Orders, expected?: Charged): Judgement {
  const all = ordersOf(orders)
  const wanted = expected && { ...expected, amount: readAmount(expected.amount) }
  const charges = all.flatMap(chargesOf)
  const [charge] = charges
  const shown = charges.map((one) => `${one.what} over ${showMoney(one)}`).join(', ')
  if (charges.length > 1) return judge(false, `There were ${charges.length} charges: ${shown}`)
  if (charge === undefined) return judge(false, `Nothing was charged: ${whatWasTried(all) || 'there is no order'}`)
  if (wanted === undefined || isSameMoney(charge, wanted)) return judge(true, `There was one charge: ${shown}`)
  return judge(false, `There was one charge: ${shown}, not ${showMoney(wanted)}`)
}

function chargesOf({ clientOrderId, operations, postings }: Timeline): readonly Charge[] {
  return operations.flatMap(({ id, kind }) => {
    const own = postings.filter(({ operationId, account }) => operationId === id && account === 'merchant')
    const amount = total(own)
    return amount > 0n ? { what: `${kind} of ${clientOrderId}`, amount, currency: own[0]?.currency } : []
  })
}

function whatWasTried(orders: readonly Timeline[]): string {
  const tried = orders.flatMap(({ clientOrderId, operations }) =>
    operations.map(({ kind, status }) => `${kind} of ${clientOrderId}, ${status}`),
  )
  return tried.join('; ')
}

/** @throws TypeError with `not` as well: a judgement about a misspelled amount would make the test pass */
function readAmount(amount: unknown): bigint {
  if (typeof amount === 'string' && /^\d+(?:\.\d{1,4})?$/.test(amount)) return parseAmount(amount)
  throw new TypeError("An expected charge needs its amount as a text in major units, such as { amount: '10.42' }")
}

function isSameMoney(charge: Money, { amount, currency = charge.currency }: Money): boolean {
  return charge.amount === amount && charge.currency === currency
}

function showMoney({ amount, currency }: Money): string {
  return [showAmount(amount), currency].filter((part) => part !== undefined).join(' ')
}
