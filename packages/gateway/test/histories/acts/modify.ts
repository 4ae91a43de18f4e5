import { allowedActions } from '@tallystick/core'
import { ruledOrder } from '../../../src/orders/operations.ts'
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
  const target = targetFor(order, by)
  const isWhole = (action === 'void' || action === 'pay') && order.first.amount % 2n === 0n && amount === 'part'
  const which = isWhole ? 'none' : amount
  const { asked, currency } = moneyFor(order, which)
  const fields: Fields = {
    client_orderid: order.clientOrderId,
    orderid: by === 'other order id' ? '999999999999999' : order.orderId,
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

type By = StepOf<'modify'>['by']

/** The endpoint to ask. Every endpoint of a merchant serves all the merchant's orders, and no other merchant's does. */
function targetFor({ login, endpointId }: PaperOrder, by: By): string {
  const isShop = login === 'shop'
  if (by === 'stranger') return isShop ? '2222' : '1111'
  if (isShop && by === 'by the group') return 'group/1100'
  if (isShop && by === 'other endpoint') return endpointId === '1111' ? '1112' : '1111'
  return endpointId
}

function moneyFor({ first, currency = 'EUR' }: PaperOrder, which: StepOf<'modify'>['amount']) {
  const part = first.amount / 3n
  switch (which) {
    case 'none':
      return { asked: undefined, currency: undefined }
    case 'without currency':
      return { asked: 1n, currency: undefined }
    case 'other currency':
      return { asked: 1n, currency: currency === 'EUR' ? 'USD' : 'EUR' }
    default:
      return { asked: { part, whole: first.amount, more: first.amount + 1n, zero: 0n }[which], currency }
  }
}

/** What core says is allowed must be what is possible on paper, up to the same amount. */
async function checkAdvice(order: PaperOrder, action: string, table: Table): Promise<void> {
  const told = (await advice(order, table)).find((each) => each.action === action)
  const whole = order.decide(action as 'capture', undefined, undefined, table.now)
  const possible = typeof whole === 'string' ? undefined : [whole.kind, whole.amount]
  const advised = told?.allowed && 'kind' in told ? [told.kind, told.upTo] : undefined
  same(`advice on a ${action} of ${order.orderId}`, advised, possible)
}

/** What core allows for the stored order now. */
export async function advice({ orderId }: PaperOrder, table: Table) {
  const order = await table.sides[0].store.orderById(orderId)
  if (order === undefined) throw new Error(`The order ${orderId} is lost`)
  return allowedActions(ruledOrder(order), table.now)
}
