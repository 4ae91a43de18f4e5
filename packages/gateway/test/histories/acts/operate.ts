import { isFinal, type PaperOrder } from '../paper-order.ts'
import { same } from '../same.ts'
import type { Step } from '../steps.ts'
import type { Table } from '../table.ts'
import { currentKeys } from '../vault-keys.ts'

const hasUnknown = ({ operations }: PaperOrder) =>
  operations.some(({ state }) => state === 'unknown' || state === 'brought')

/** What the operator does by hand. */
export async function operate(
  { does, order: index, outcome }: Extract<Step, { outcome: unknown }>,
  table: Table,
): Promise<void> {
  const isWanted = does === 'resend' ? ({ hasNotices }: PaperOrder) => hasNotices() : hasUnknown
  const order = table.orderAt(index, isWanted)
  if (does === 'rotate cards') {
    for (const { gateway } of table.sides) {
      const { refused, complete } = await gateway.rotateCards()
      same('cards that do not open', [refused, complete], [0, true])
    }
    table.keys = currentKeys(table.keys)
    return
  }
  if (order === undefined) return
  order.tick(table.now)
  if (does === 'resend') {
    const again = order.sendAgain()
    for (const { gateway, quiet } of table.sides) {
      same(`callbacks of ${order.orderId}`, await gateway.resendCallbacks(order.orderId), again)
      await quiet()
    }
    return table.count('resend')
  }
  const operation = order.operations.find(({ state }) => !isFinal(state)) ?? order.last()
  const decision =
    outcome === 'approved'
      ? ({ status: outcome, approvalCode: '1', processorTxId: '2' } as const)
      : ({ status: outcome, errorCode: '1', errorMessage: 'x' } as const)
  for (const { gateway, quiet } of table.sides) {
    const { ok } = await gateway.recordOutcome(operation.reference, decision, { who: 'anna', why: 'test' })
    const { state } = operation
    const mayBe = state === 'unknown' || state === 'brought' || state === outcome
    same(`record ${outcome} of ${operation.reference}, which is ${state}`, ok, mayBe)
    await quiet()
  }
  if (operation.state === 'unknown' || operation.state === 'brought') {
    order.move(operation, outcome, table.now)
    table.count('outcome recorded')
  }
}
