import type { Timeline } from '@tallystick/gateway'
import type { Account } from '@tallystick/gateway/internal'
import {
  type Judgement,
  judge,
  type Orders,
  ordersOf,
  type Posting,
  parseAmount,
  showAmount,
  total,
} from './judgement.ts'

/**
 * Whether the books of the given orders balance: the postings of each operation sum to zero, no hold is overdrawn, and the
 * amount in the status is the one in the books.
 */
export function judgeBalance(orders: Orders): Judgement {
  const wrong = ordersOf(orders).flatMap((order) =>
    findings(order).map((finding) => `${order.clientOrderId}: ${finding}`),
  )
  return judge(wrong.length === 0, wrong.length === 0 ? 'The books balance' : wrong.join('; '))
}

function findings({ operations, postings, amount }: Timeline): readonly string[] {
  const sums = operations.flatMap(({ id, kind }) => {
    const sum = total(postings.filter(({ operationId }) => operationId === id))
    return sum === 0n ? [] : `the postings of its ${kind} sum to ${showAmount(sum)}`
  })
  const held = balanceOf('hold', postings)
  const shown = amount === undefined ? undefined : parseAmount(amount)
  return [
    ...sums,
    ...(held < 0n ? [`its hold is overdrawn by ${showAmount(-held)}`] : []),
    ...(shown === undefined || shown === inBooks(postings)
      ? []
      : [`its status shows ${amount}, and the books have ${showAmount(inBooks(postings))}`]),
  ]
}

/** What is held or kept of a payment, or what a payout or transfer paid (rule G13-20 of `spec/requirements`). */
function inBooks(postings: readonly Posting[]): bigint {
  const received = balanceOf('receiver', postings)
  return received > 0n ? received : balanceOf('hold', postings) + balanceOf('merchant', postings)
}

function balanceOf(account: Account, postings: readonly Posting[]): bigint {
  return total(postings.filter((posting) => posting.account === account))
}
