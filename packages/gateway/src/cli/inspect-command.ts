import { userInfo } from 'node:os'
import { dirname, resolve } from 'node:path'
import { maskCardNumbers } from '@tallystick/core'
import { authority } from '../http/server.ts'
import type { OrderHistory, OrderSummary } from '../inspection/history.ts'
import { type GivenUpCallback, type Listed, USUAL_ITEMS } from '../inspection/inspection.ts'
import { OPERATOR_KEY, operatorHeaders } from '../requests/operator-access.ts'
import type { Command, Inspecting, Named, Reach } from './arguments.ts'
import type { Configuration } from './configuration.ts'
import { operatorKeyOf } from './key-files.ts'
import { NO_ORDER } from './ports.ts'
import { ConfigurationError, complain } from './read-configuration.ts'
import { callbacksTable, historyText, inJson, ordersTable, plain, type Shape } from './tables.ts'

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
  table: (items: readonly Item[], shape: Shape) => string,
  next?: string,
): void {
  print(json ? items.map((item) => `${inJson(item)}\n`).join('') : table(items, terminal()))
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
  if (found !== undefined) print(reading.json ? `${inJson(found)}\n` : historyText(found, terminal()))
}

/** A file has no width and no colours. */
function terminal(): Shape {
  const { isTTY, columns } = process.stdout
  return isTTY ? { width: columns, isColoured: process.stdout.hasColors() } : { width: Infinity, isColoured: false }
}

/** A reader such as `head` may have had enough. */
function print(text: string): void {
  process.stdout.on('error', () => process.exit())
  process.stdout.write(text)
}

/** Longer than the gateway itself takes at most. */
const WAIT_MS = 40_000

interface Question extends Reach, Partial<Named> {
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** What it says if it has done it. Another program on this port may say anything. */
  readonly done: RegExp
}

interface Answered {
  readonly status: number
  readonly text: string
}

/**
 * Asks the running gateway, with the operator key. What was not found is an answer.
 *
 * @param read reads a configuration
 * @throws ConfigurationError if it refuses, or if none runs there
 */
export async function askGateway(
  { config, url, method, path, done, by = userName(), why = '' }: Question,
  read: (file: string) => Configuration,
): Promise<Answered> {
  const configuration = config === undefined ? undefined : read(config)
  const origin = url ?? originOf(configuration)
  const folder = config === undefined ? process.cwd() : dirname(resolve(config))
  const { key, place } = operatorKeyOf(configuration ?? {}, { folder, environment: process.env })
  if (key === undefined)
    throw new ConfigurationError(`the operator key is missing: set ${OPERATOR_KEY} to that of the gateway (${place})`)
  const headers = operatorHeaders(key.reveal(), { who: by, why })
  // A redirection would take the key elsewhere.
  const asking = { method, headers, redirect: 'error', signal: AbortSignal.timeout(WAIT_MS) } as const
  const { status, type, text } = await answerOf(origin + path, asking).catch((error: unknown) => {
    throw new ConfigurationError(
      (error as Error).name === 'TimeoutError'
        ? `what is at ${origin} does not answer; is it the metricsPort of a gateway?`
        : `no gateway answers at ${origin}; is it running?`,
    )
  })
  const isDone =
    status === 200 && type.startsWith(method === 'GET' ? 'application/json' : 'text/plain') && done.test(text)
  const isRefused = status !== 200 && type.startsWith('text/plain') && (status !== 404 || text === NO_ORDER)
  if (!isDone && !isRefused)
    throw new ConfigurationError(`what answers at ${origin}, with ${status}, is not the gateway's metricsPort`)
  if (status === 401) {
    throw new ConfigurationError(
      `the gateway at ${origin} does not accept the operator key in ${place}: it needs the one that it was started with, whose place is in the line "listening" of its log`,
    )
  }
  if (!isDone && status !== 404) throw new ConfigurationError(`the gateway answered ${status}: ${shown(text)}`)
  return { status, text }
}

/** A container may run under a number that no user has. */
function userName(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}

async function answerOf(url: string, asking: RequestInit) {
  const reply = await fetch(url, asking)
  return { status: reply.status, type: reply.headers.get('content-type') ?? '', text: (await reply.text()).trim() }
}

function shown(text: string): string {
  return plain(maskCardNumbers(text.slice(0, 500)))
}

function originOf({ metricsHost, metricsPort }: Partial<Configuration> = {}): string {
  if (metricsHost === undefined || metricsPort === undefined || metricsPort === 0) {
    throw new ConfigurationError(
      'metricsPort: is 0, which is any free port: choose one, so that the gateway can be found, or give its address by --url',
    )
  }
  return `http://${authority(metricsHost, metricsPort)}`
}
