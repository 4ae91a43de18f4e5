import type { Timeline } from '@tallystick/gateway'
import { type Judgement, judge } from './judgement.ts'
import { showAmount, total } from './money.ts'
import { type Orders, ordersOf } from './orders.ts'

/**
 * Whether a customer was charged exactly once: of all operations of the given orders, one brought money to the merchant. A
 * charge that was refunded later still counts.
 */
export function judgeChargedOnce(orders: Orders): Judgement {
  const all = ordersOf(orders)
  const charges = all.flatMap(chargesOf)
  if (charges.length === 1) return judge(true, `There was one charge: ${charges[0]}`)
  if (charges.length > 1) return judge(false, `There were ${charges.length} charges: ${charges.join(', ')}`)
  const tried = all.flatMap(({ clientOrderId, operations }) =>
    operations.map(({ kind, status }) => `${kind} of ${clientOrderId}, ${status}`),
  )
  return judge(false, `Nothing was charged: ${tried.join('; ') || 'there is no order'}`)
}

function chargesOf({ clientOrderId, operations, postings }: Timeline): readonly string[] {
  return operations.flatMap(({ id, kind }) => {
    const own = postings.filter(({ operationId, account }) => operationId === id && account === 'merchant')
    const amount = total(own)
    return amount > 0n ? `${kind} of ${clientOrderId} over ${showAmount(amount)} ${own[0]?.currency}` : []
  })
}
