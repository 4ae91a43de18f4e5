import { auditOrder } from '../../src/ledger/ledger.ts'
import { IN_ORDER } from './bank.ts'
import { checkCharges } from './charges.ts'
import { checkAll } from './check-all.ts'
import { checkToldInTheEnd } from './check-callbacks.ts'
import { followTraffic } from './follow-traffic.ts'
import { isFinal } from './paper-order.ts'
import { same } from './same.ts'
import type { Table } from './table.ts'

const DAY = 86_400_000

/** Lets time pass without new requests, at a bank that answers. Everything must end, and the books must balance. */
export async function drain(table: Table): Promise<void> {
  for (let day = 0; day < 42; day++) {
    for (const { bank } of table.sides) bank.feels(IN_ORDER)
    for (const side of table.sides) await side.goOn(DAY)
    await followTraffic(table)
  }
  checkCharges(table)
  if (table.shopWasDown) for (const side of table.sides) checkToldInTheEnd(side, table)
  await checkAll(table)
  for (const order of table.orders) {
    for (const { reference, state } of order.operations)
      if (!isFinal(state)) throw new Error(`${reference} is still ${state}`)
    if (order.held() !== 0n) throw new Error(`${order.orderId} still holds ${order.held()}`)
    for (const { store, name } of table.sides) {
      const stored = await store.orderById(order.orderId)
      if (stored === undefined) throw new Error(`${order.orderId} is lost`)
      const postings = await store.postingsOf(order.orderId)
      same(`books of ${order.orderId} (${name})`, auditOrder(stored, postings), [])
      same(
        `sum of ${order.orderId}`,
        postings.reduce((sum, { amount }) => sum + amount, 0n),
        0n,
      )
      const gained = (account: string) =>
        postings.filter((posting) => posting.account === account).reduce((sum, { amount }) => sum + amount, 0n)
      const { merchant, payer, receiver } = order.balances()
      same(
        `accounts of ${order.orderId}`,
        [gained('merchant'), gained('payer'), gained('receiver'), gained('hold')],
        [merchant, payer, receiver, 0n],
      )
      same(`operations of ${order.orderId}`, stored.operations.length, order.operations.length)
      same(`tasks of ${order.orderId} (${name})`, await store.tasksOf(order.orderId), [])
    }
  }
}
