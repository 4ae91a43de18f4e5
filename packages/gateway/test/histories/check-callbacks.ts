import { createHash } from 'node:crypto'
import type { MerchantOptions } from '../../src/index.ts'
import { NOTIFY_URL, SERVER_URL } from './addresses.ts'
import type { PaperOrder } from './paper-order.ts'
import { same } from './same.ts'
import type { Side } from './side.ts'
import type { Table } from './table.ts'

/**
 * Each callback bears the control of its merchant as it was then; while the shop is up, each outcome is told once and in order, until
 * all are sent again.
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
 * Where the shop was down, each outcome is told in the end: once, unless it was to be sent again. The endpoint may have been given
 * another address meanwhile, or none: what went there is left out.
 */
export function checkToldInTheEnd({ name, calls }: Side, table: Table): void {
  const came = calls.map(({ url }) => readCall(url))
  for (const { orderId, callbacks, wasSentAgain } of table.orders) {
    const mine = came.filter((call) => call.orderId === orderId && isOfOrder(call)).map(textOfCall)
    const due = callbacks.filter(isOfOrder).map(textOfCall)
    const told = (texts: readonly string[]) => (wasSentAgain() ? [...new Set(texts)] : texts).toSorted()
    same(`callbacks of ${orderId} (${name})`, told(mine), told(due))
  }
}

/** What goes to the address of an endpoint that was not configured any more stays as it was, with a control of its time. */
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
