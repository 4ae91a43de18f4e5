import type { Traffic } from './bank.ts'
import { charged } from './charges.ts'
import type { PaperOrder } from './paper-order.ts'
import { same, textOf } from './same.ts'
import type { Table } from './table.ts'

/** Moves the orders on paper by what happened at the bank. */
export async function followTraffic(table: Table): Promise<void> {
  const [traffic = [], other = []] = table.sides.map(({ bank }) => bank.takeTraffic())
  same('the bank has heard the same', other.map(textOf).sort(), traffic.map(textOf).sort())
  for (const each of traffic) {
    const orderId = each.reference.replace(/-\d+$/, '')
    const order = table.orders.find((known) => known.orderId === orderId) ?? (await charged(orderId, each, table))
    order.tick(each.at)
    const operation = order.operations.find(({ reference }) => reference === each.reference)
    if (each.what === 'executes') carriedOut(order, each, table)
    else if (operation === undefined) throw new Error(`The bank was asked of ${each.reference}, which nobody asked for`)
    else if (each.what === 'authenticates') {
      same(`${each.reference} waits for ${each.step}`, [operation.state, operation.awaits], ['customer', each.step])
      operation.state = 'brought'
      operation.awaits = undefined
      operation.steps.push(each.step)
    } else order.told(operation, each.status, each.step, each.at)
  }
  for (const order of table.orders) order.tick(table.now)
}

function carriedOut(order: PaperOrder, each: Extract<Traffic, { what: 'executes' }>, table: Table): void {
  const { reference, kind, amount, currency, at } = each
  if (table.executed.has(reference)) throw new Error(`${reference} was carried out twice`)
  table.executed.add(reference)
  const known = order.operations.find((operation) => operation.reference === reference)
  const operation = known ?? released(order, reference, at, table)
  same(
    `what is carried out of ${reference}`,
    { kind, amount, state: operation.state },
    { kind: operation.kind, amount: operation.amount, state: 'sent' },
  )
  if (order.currency !== undefined) same(`currency of ${reference}`, currency, order.currency)
}

function released(order: PaperOrder, reference: string, at: number, table: Table) {
  const verdict = order.decide('release', undefined, undefined, at)
  if (typeof verdict === 'string') throw new Error(`${reference} was released: ${verdict}`)
  table.count('release')
  return order.append(verdict, undefined, at)
}
