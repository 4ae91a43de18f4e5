import { allowedActions } from '@tallystick/core'
import { ruledOrder } from '../../../src/orders/derive.ts'
import type { Fields } from '../../support/signed-requests.ts'
import { loginOf } from '../merchants.ts'
import { major, type PaperOrder } from '../paper-order.ts'
import { only, same } from '../same.ts'
import type { StepOf } from '../steps.ts'
import type { Table } from '../table.ts'

/** A capture, void, return or payout-pay, right or wrong. */
export async function modify(
  { action: wanted, order: index, by, amount }: StepOf<'modify'>,
  table: Table,
): Promise<void> {
  const now = table.now
  const may = (action: string) => (each: PaperOrder) =>
    typeof each.decide(action as 'capture', undefined, undefined, now) !== 'string'
  const possible =
    index < 8 && !table.orders.some(may(wanted))
      ? ['pay', 'capture', 'return', 'void'].find((each) => table.orders.some(may(each)))
      : undefined
  const action = possible ?? wanted
  const order = table.orderAt(index, may(action))
  if (order === undefined) return
  const isShop = order.login === 'shop'
  const target =
    by === 'stranger'
      ? isShop
        ? '2222'
        : '1111'
      : !isShop || by === 'owner' || by === 'other order id'
        ? order.endpointId
        : by === 'by the group'
          ? 'group/1100'
          : order.endpointId === '1111'
            ? '1112'
            : '1111'
  const whole = order.first.amount
  const isWhole = (action === 'void' || action === 'pay') && order.first.amount % 2n === 0n && amount === 'part'
  const which = isWhole ? 'none' : amount
  const cents = { none: undefined, part: whole / 3n, whole, more: whole + 1n, zero: 0n }[which as string] ?? 1n
  const asked = which === 'none' ? undefined : cents
  const own = order.currency ?? 'EUR'
  const currency =
    which === 'none' || which === 'without currency'
      ? undefined
      : which === 'other currency'
        ? own === 'EUR'
          ? 'USD'
          : 'EUR'
        : own
  const ids = {
    client_orderid: order.clientOrderId,
    orderid: by === 'other order id' ? '999999999999999' : order.orderId,
  }
  const fields: Fields = {
    ...ids,
    ...(asked === undefined ? {} : { amount: major(asked) }),
    ...(currency === undefined ? {} : { currency }),
  }
  await checkAdvice(order, action, table)
  const verdict = order.decide(action as 'capture', asked, currency, table.now)
  const login = action === 'pay' ? { login: loginOf(target) } : {}
  const { read } = await table.ask(action === 'pay' ? 'v4/payout-pay' : action, target, { ...login, ...fields })
  const what = `${action} of ${order.orderId} (${by}, ${which})`
  if (by === 'stranger' || by === 'other order id') {
    return table.expectCode(what, read, [
      '2',
      ...(asked === undefined || asked > 0n ? [] : ['1']),
      ...(which === 'without currency' ? ['1'] : []),
    ])
  }
  if (which === 'without currency' || asked === 0n) return table.expectCode(what, read, ['1', '9'])
  if (typeof verdict === 'string') return table.expectCode(`${what}, ${verdict}`, read, ['9'])
  same(what, only(read, 'type', 'paynet-order-id', 'merchant-order-id', 'end-point-id', 'error-message'), {
    type: 'async-response',
    'paynet-order-id': order.orderId,
    'merchant-order-id': order.clientOrderId,
    'end-point-id': order.endpointId,
  })
  order.append(verdict, read['serial-number'], table.now)
  table.count(`${action} as ${verdict.kind}`)
}

/** What is told to be possible is what is possible on paper, up to the same amount. */
async function checkAdvice(order: PaperOrder, action: string, table: Table): Promise<void> {
  const told = (await advice(order, table)).find((each) => each.action === action)
  const whole = order.decide(action as 'capture', undefined, undefined, table.now)
  const possible = typeof whole === 'string' ? undefined : [whole.kind, whole.amount]
  const advised = told?.allowed && 'kind' in told ? [told.kind, told.upTo] : undefined
  same(`advice on a ${action} of ${order.orderId}`, advised, possible)
}

/** What core says may be done now, of the order as it is stored. */
export async function advice({ orderId }: PaperOrder, table: Table) {
  const order = await table.sides[0].store.orderById(orderId)
  if (order === undefined) throw new Error(`The order ${orderId} is lost`)
  return allowedActions(ruledOrder(order), table.now)
}
