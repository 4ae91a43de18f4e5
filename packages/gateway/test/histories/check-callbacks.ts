import { createHash } from 'node:crypto'
import type { MerchantOptions } from '../../src/index.ts'
import { NOTIFY_URL, SERVER_URL } from './addresses.ts'
import type { PaperOrder } from './paper-order.ts'
import { same } from './same.ts'
import type { Side } from './side.ts'
import type { Table } from './table.ts'

/**
 * Every callback has a control by the key that its merchant had then. While the shop was always up, every outcome is reported
 * once and in order, until the operator sends them all again.
 */
export function checkCallbacks({ name, calls }: Side, table: Table): void {
  const came = calls.map(({ url, merchants }) => ({ merchants, ...readCall(url) }))
  for (const call of came) {
    const { orderId, status, control = '' } = call
    const order = table.orders.find((each) => each.orderId === orderId)
    if (order === undefined) throw new Error(`A callback of nobody: ${orderId}`)
    const controls = keysFor(call, order, table).map((key) =>
      createHash('sha1').update(`${status}${orderId}${order.clientOrderId}${key}`).digest('hex'),
    )
    if (!controls.includes(control)) throw new Error(`A callback of ${orderId} bears ${control}, not ${controls}`)
  }
  if (table.shopWasDown) return
  for (const { orderId, callbacks, wasSentAgain } of table.orders) {
    const mine = came.filter((call) => call.orderId === orderId)
    const told = (texts: readonly string[]) => (wasSentAgain() ? texts.toSorted() : texts)
    same(`callbacks of ${orderId} (${name})`, told(mine.map(textOfCall)), told(callbacks.map(textOfCall)))
  }
}

/**
 * If the shop was down at times, every outcome is still reported in the end: once, unless the operator sent it again. That it was
 * unknown before may be left out, but is not made up. Callbacks to the address of the endpoint are left out, since that may have
 * changed meanwhile.
 */
export function checkToldInTheEnd({ name, calls }: Side, table: Table): void {
  const came = calls.map(({ url }) => readCall(url))
  for (const { orderId, callbacks, wasSentAgain } of table.orders) {
    const mine = came.filter((call) => call.orderId === orderId && isOfOrder(call)).map(textOfCall)
    const due = callbacks.filter(isOfOrder).map(textOfCall)
    const told = (texts: readonly string[]) => (wasSentAgain() ? [...new Set(texts)] : texts).toSorted()
    const missed = without(told(due), told(mine)).filter((text) => !text.includes(' unknown '))
    same(`callbacks of ${orderId} (${name})`, [missed, without(told(mine), told(due))], [[], []])
  }
}

/** The texts but those of another list, each as often as it is there. */
function without(texts: readonly string[], others: readonly string[]): readonly string[] {
  const left = [...others]
  return texts.filter((text) => {
    const at = left.indexOf(text)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}

/**
 * The keys that the control may be made with. A callback to the address of an endpoint that is not configured any more keeps the
 * control that it had.
 */
function keysFor(
  { to, merchants }: Pick<Call, 'to'> & { readonly merchants: readonly MerchantOptions[] },
  { login, endpointId }: PaperOrder,
  table: Table,
) {
  const merchant = merchants.find((each) => each.login === login)
  const isServed = merchant?.endpoints.some(({ id }) => id === endpointId)
  if (isServed || isOfOrder({ to })) return [merchant?.controlKey]
  return table.configurations.map(({ controlKeys }) => controlKeys[login])
}

const isOfOrder = ({ to }: { readonly to: string }) => to === SERVER_URL || to === NOTIFY_URL

interface Call {
  readonly to: string
  readonly status: string | undefined
  readonly type: string | undefined
  readonly amount: string | undefined
}

function textOfCall({ to, status, type, amount }: Call): string {
  return [to, status, type, amount].join(' ')
}

function readCall(url: URL) {
  const of = (name: string) => url.searchParams.get(name) ?? undefined
  return {
    to: url.origin + url.pathname,
    orderId: of('orderid') ?? '',
    status: of('status'),
    type: of('type'),
    amount: of('amount'),
    control: of('control'),
  }
}
