import { same } from '../same.ts'
import type { StepOf } from '../steps.ts'
import type { Table } from '../table.ts'

/** Asks for the status with fewer ids, or with wrong ones. */
export async function askForStatus({ order: index, how }: StepOf<'ask'>, table: Table): Promise<void> {
  const order = table.orderAt(index)
  if (order === undefined) return
  const { clientOrderId, orderId, login } = order
  const other = login === 'shop' ? '2222' : 'group/1100'
  const own = login === 'shop' ? '1100' : '2222'
  const names = { client_orderid: clientOrderId }
  switch (how) {
    case 'own id': {
      const { read } = await table.ask('status', own, names)
      const youngest = table.orders.findLast((each) => each.login === login && each.clientOrderId === clientOrderId)
      return same(
        'status by the own id',
        [read['paynet-order-id'], read['end-point-id']],
        [youngest?.orderId, youngest?.endpointId],
      )
    }
    case 'by a stranger':
      return table.expectCode(how, (await table.ask('status', other, { ...names, orderid: orderId })).read, ['2'])
    case 'other serial number':
      return table.expectCode(how, (await table.ask('status', own, { ...names, 'by-request-sn': 'x' })).read, ['1'])
    case 'other order id':
      return table.expectCode(how, (await table.ask('status', own, { ...names, orderid: '999999999999999' })).read, [
        '2',
      ])
  }
}
