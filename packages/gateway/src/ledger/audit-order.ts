import { ruledOrder } from '../orders/derive.ts'
import type { StoredOrder } from '../orders/order.ts'
import type { Account, Posting } from './postings.ts'

/**
 * What is wrong with the books of an order, in words. They are right if the postings of each operation, and so those of the
 * order, sum to zero, and if each account has what the rules derive from the operations.
 */
export function auditOrder(order: StoredOrder, postings: readonly Posting[]): readonly string[] {
  const { held, kept, paidOut } = ruledOrder(order)
  const balance = (account: Account) => total(postings.filter((posting) => posting.account === account))
  const fromDeposit = order.details.card === undefined || order.operations[0]?.kind !== 'transfer'
  const expected: ReadonlyArray<readonly [Account, bigint]> = [
    ['hold', held],
    ['receiver', paidOut],
    ['merchant', fromDeposit ? kept - paidOut : kept],
    ['payer', fromDeposit ? -held - kept : -paidOut],
  ]
  return [
    ...expected.flatMap(([account, amount]) =>
      balance(account) === amount ? [] : `${account} has ${balance(account)}, and the operations make it ${amount}`,
    ),
    ...order.operations.flatMap(({ id }) => {
      const sum = total(postings.filter(({ operationId }) => operationId === id))
      return sum === 0n ? [] : `the postings of ${id} sum to ${sum}`
    }),
    ...(total(postings) === 0n ? [] : [`the order sums to ${total(postings)}`]),
  ]
}

function total(postings: readonly Posting[]): bigint {
  return postings.reduce((sum, { amount }) => sum + amount, 0n)
}
