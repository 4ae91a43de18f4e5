import { major } from '../paper-order.ts'
import { same, textOf } from '../same.ts'
import type { StepOf } from '../steps.ts'
import type { Table } from '../table.ts'

/** The issuer charges back all that the merchant keeps, a part, or more than there is. */
export async function chargeback(
  { order: index, amount: which, caseId }: StepOf<'chargeback'>,
  table: Table,
): Promise<void> {
  const order = table.orderAt(index, (each) => each.kept() > 0n)
  if (order === undefined) return
  const whole = order.first.amount
  const asked = { none: undefined, part: whole / 3n > 0n ? whole / 3n : 1n, more: whole + 1n }[which]
  const verdict = order.decide('chargeback', asked, undefined, table.now)
  const key = `${order.orderId} ${caseId}`
  const before = caseId === undefined ? undefined : table.cases.get(key)
  const results = []
  for (const { gateway, quiet } of table.sides) {
    results.push(await gateway.chargeback(order.orderId, asked === undefined ? undefined : major(asked), caseId))
    await quiet()
  }
  same('chargebacks in both stores', results[1], results[0])
  const [result] = results
  const what = `chargeback of ${order.orderId} (${which}, ${caseId}): ${textOf(verdict)}`
  if (before !== undefined) return same(what, result?.ok, asked === undefined || asked === before)
  same(what, result?.ok, typeof verdict !== 'string')
  if (typeof verdict === 'string') return
  const operation = order.append(verdict, undefined, table.now)
  table.executed.add(operation.reference)
  order.move(operation, 'approved', table.now)
  if (caseId !== undefined) table.cases.set(key, operation.amount)
  table.count('chargeback')
}
