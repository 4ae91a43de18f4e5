import type { OrderHistory, OrderSummary } from '../inspection/history.ts'
import { type GivenUpCallback, type Listed, USUAL_ITEMS } from '../inspection/inspection.ts'
import type { Command, Inspecting } from './arguments.ts'
import { askGateway } from './ask-gateway.ts'
import type { Configuration } from './configuration.ts'
import { complain } from './read-configuration.ts'
import { callbacksTable, historyText, inJson, ordersTable } from './tables.ts'

type InspectCommand = Extract<Command, { readonly name: 'orders' | 'order' | 'callbacks' }>
type Read = (file: string) => Configuration

/** Shows what is stored in the running gateway: on the standard output the rows, on the standard error what else is to say. */
export async function inspectCommand(command: InspectCommand, read: Read): Promise<void> {
  if (command.name === 'order') return await showOrder(command, read)
  if (command.name === 'orders') {
    const { items, next } = await pageOf<OrderSummary>('/orders', command, read)
    return show(command, items, ordersTable, next)
  }
  const { items, next } = await pageOf<GivenUpCallback>('/callbacks/given-up', command, read)
  show(command, items, callbacksTable, next)
}

/** A page has fewer than its limit if the gateway looked at many that do not match: the rest is asked for. */
async function pageOf<Item>(path: string, { filters, ...reach }: Inspecting, read: Read) {
  const items: Listed<Item>[] = []
  let given = filters
  for (;;) {
    const { text } = await askGateway(
      { ...reach, method: 'GET', done: /^\{"items":\[/, path: `${path}?${new URLSearchParams(given).toString()}` },
      read,
    )
    const page: { readonly items: readonly Listed<Item>[]; readonly next?: string } = JSON.parse(text)
    items.push(...page.items)
    const wanted = Number(filters['limit'] ?? USUAL_ITEMS)
    if (page.next === undefined || items.length >= wanted) return { items, next: page.next }
    given = { ...filters, cursor: page.next, limit: String(wanted - items.length) }
  }
}

function show<Item>(
  { json }: Inspecting,
  items: readonly Item[],
  table: (items: readonly Item[], width: number) => string,
  next?: string,
): void {
  print(json ? items.map((item) => `${inJson(item)}\n`).join('') : table(items, terminalWidth()))
  if (!json && next !== undefined) complain(`there may be more: add --cursor ${next}`)
}

/** By the gateway's id and by the merchant's, which may look alike. */
async function showOrder({ id, ...reading }: Extract<Command, { readonly name: 'order' }>, read: Read): Promise<void> {
  const { login, endpoint } = reading.filters
  const history = async (orderId: string): Promise<OrderHistory | undefined> => {
    const { status, text } = await askGateway(
      { ...reading, method: 'GET', done: /^\{"orderId":"/, path: `/orders/${orderId}` },
      read,
    )
    return status === 404 ? undefined : JSON.parse(text)
  }
  const byId = /^\d{15}$/.test(id) ? await history(id) : undefined
  const isMeant = (login ?? byId?.login) === byId?.login && (endpoint ?? byId?.endpointId) === byId?.endpointId
  const filters = { ...reading.filters, 'client-order-id': id }
  const named: readonly OrderSummary[] = (await pageOf<OrderSummary>('/orders', { ...reading, filters }, read)).items
  const all = byId === undefined || !isMeant ? named : [byId, ...named.filter(({ orderId }) => orderId !== id)]
  const [only, ...others] = all
  if (only === undefined) {
    process.exitCode = 1
    return complain('no order has this id')
  }
  if (others.length > 0) {
    process.exitCode = 1
    show(reading, all, ordersTable)
    return complain(`${all.length} orders have this id: name one by the gateway's id, or add --login or --endpoint`)
  }
  const found = only === byId ? byId : await history(only.orderId)
  if (found !== undefined) print(reading.json ? `${inJson(found)}\n` : historyText(found, terminalWidth()))
}

/** A file has no width. */
function terminalWidth(): number {
  return process.stdout.isTTY ? process.stdout.columns : Infinity
}

/** A reader such as `head` may have had enough. */
function print(text: string): void {
  process.stdout.on('error', () => process.exit())
  process.stdout.write(text)
}
