import { loginOf } from '../merchants.ts'
import { only, same } from '../same.ts'
import type { StepOf } from '../steps.ts'
import type { Table } from '../table.ts'
import { advice } from './modify.ts'

export async function storeCard(
  { version, order: index, isStranger }: StepOf<'store card'>,
  table: Table,
): Promise<void> {
  const order = table.orderAt(index, (each) => each.mayStoreCard() && (each.pays ?? each.receives) !== undefined)
  if (order === undefined) return
  const target = isStranger ? (order.login === 'shop' ? '2222' : '1112') : order.endpointId
  const fields = { login: loginOf(target), client_orderid: order.clientOrderId, orderid: order.orderId }
  const path = version === 'v4' ? 'v4/create-card-ref' : 'create-card-ref'
  const advices = await advice(order, table)
  const { read } = await table.ask(path, target, fields)
  const what = `store the card of ${order.orderId}`
  if (isStranger) return table.expectCode(what, read, ['2'])
  same(`${what}: advice`, advices.find(({ action }) => action === 'store-card')?.allowed, order.mayStoreCard())
  if (!order.mayStoreCard()) return table.expectCode(what, read, ['9'])
  const card = order.pays ?? order.receives
  if (card === undefined) return table.expectCode(what, read, ['8'])
  same(what, read['type'], 'create-card-ref-response')
  const role = order.pays === undefined ? 'receives' : 'pays'
  table.keep({ login: order.login, id: read['card-ref-id'] ?? '', name: 'card', role, card })
  table.count('card stored')
  if (version === 'v2') return
  const receiver = read['dst-card-ref-id']
  same(`${what}: a receiver`, receiver !== undefined, order.receives !== undefined)
  if (receiver !== undefined && order.receives !== undefined) {
    table.keep({ login: order.login, id: receiver, name: 'card', role: 'receives', card: order.receives })
  }
}

export async function cardInfo({ stored: index, isStranger }: StepOf<'card info'>, table: Table): Promise<void> {
  const stored = table.stored.at(-1 - (index % Math.max(1, table.stored.length)))
  if (stored === undefined) return
  const own = stored.login === 'shop' ? '1112' : '2222'
  const target = isStranger ? (own === '2222' ? '1111' : '2222') : own
  const { read } = await table.ask('get-card-info', target, { cardrefid: stored.id })
  if (isStranger || stored.name === 'token') return table.expectCode('card info', read, ['8'])
  same('card info', only(read, 'type', 'bin', 'last-four-digits'), {
    type: 'get-card-info-response',
    bin: stored.card.slice(0, 6),
    'last-four-digits': stored.card.slice(-4),
  })
  table.count('card info')
}
