import type { RecordedEvent } from '@tallystick/core'
import type { Timeline } from '@tallystick/gateway'
import { historyText, inJson, ordersTable, type Shape } from '@tallystick/gateway/internal'
import { needed, parse, UsageError } from '../arguments/parse.ts'
import type { Command } from '../command.ts'
import {
  eventsOf,
  findInSandbox,
  isForProgram,
  JSON_ROW,
  noOrder,
  OPERATOR_KEY_ROW,
  ordersOf,
  SANDBOX_OPTIONS,
  SANDBOX_ROW,
  type SandboxPort,
  sandboxPort,
  shapeFor,
} from '../sandbox/ask-sandbox.ts'
import { EVENTS_HEAD, eventWriter } from '../sandbox/event-lines.ts'
import type { World } from '../world.ts'

export const orders: Command = {
  name: 'orders',
  summary: 'lists the orders of a sandbox, those that changed last first',
  help: [
    'tallystick orders: lists the orders of a sandbox, those that changed last first',
    { heading: 'Usage', commands: ['tallystick orders [options]'] },
    {
      heading: 'Options',
      rows: [
        ['--status STATUS', 'processing, approved, declined, filtered, error or unknown'],
        ['--login LOGIN', 'of this merchant alone'],
        ['--client-order-id ID', "with this id of the shop's own"],
        ['--limit N', 'at most so many, up to 1000; default 50'],
        JSON_ROW,
        SANDBOX_ROW,
        OPERATOR_KEY_ROW,
      ],
    },
  ],
  run: async (args, world) => {
    const { values, positionals } = parse('orders', args, {
      status: { type: 'string' },
      login: { type: 'string' },
      'client-order-id': { type: 'string' },
      limit: { type: 'string' },
      json: { type: 'boolean' },
      ...SANDBOX_OPTIONS,
    })
    if (positionals[0] !== undefined)
      throw new UsageError(`${positionals[0]} is too much: tallystick order ${positionals[0]} shows one order`)
    const { status, login, 'client-order-id': clientOrderId, limit } = values
    const filter = Object.entries({ status, login, clientOrderId, limit }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    )
    const found = await ordersOf<Timeline>(Object.fromEntries(filter), sandboxPort(values, world), world)
    show(found, values.json, world)
    return 0
  },
}

function show(found: readonly Timeline[], json: boolean | undefined, world: World): void {
  if (isForProgram(json, world)) world.paint(found.map((order) => `${inJson(order)}\n`).join(''))
  else world.paint(ordersTable(found, shapeFor(world)))
}

export const order: Command = {
  name: 'order',
  summary: 'shows an order of a sandbox: operations, callbacks, what is due, and what happened',
  help: [
    'tallystick order: shows an order of a sandbox with all that became of it',
    { heading: 'Usage', commands: ['tallystick order ID [options]'] },
    "The ID is the gateway's or the shop's own. The exit code is 1 if no order has it, or several.",
    { heading: 'Options', rows: [JSON_ROW, SANDBOX_ROW, OPERATOR_KEY_ROW] },
  ],
  run: async (args, world) => {
    const { values, positionals } = parse('order', args, { json: { type: 'boolean' }, ...SANDBOX_OPTIONS })
    const [word, more] = positionals
    const id = needed(word, 'ID', "the order, by the gateway's id or the shop's own")
    if (more !== undefined) throw new UsageError(`${more} is too much: it is tallystick order ID`)
    const port = sandboxPort(values, world)
    const found = await ordersNamed(id, port, world)
    const [only, ...others] = found
    if (only === undefined) {
      world.warn(noOrder(id))
      return 1
    }
    if (others.length > 0) {
      show(found, values.json, world)
      world.warn(`the sandbox has more than one order ${id}: name it by its gateway's id`)
      return 1
    }
    const events = await whatHappened(only, port, world)
    if (isForProgram(values.json, world)) world.paint(`${inJson({ ...only, events })}\n`)
    else world.paint(`${historyText(only, shapeFor(world))}${timeline(events, shapeFor(world))}`)
    return 0
  },
}

/** `undefined`: it was not recorded, or the operator key is missing. The rest of the order is shown all the same. */
async function whatHappened(
  { orderId }: Timeline,
  port: SandboxPort,
  world: World,
): Promise<readonly RecordedEvent[] | undefined> {
  try {
    const events: RecordedEvent[] = []
    for await (const event of eventsOf(`/recording?orderId=${orderId}`, port, world)) events.push(event)
    return events
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    world.warn(`what happened, and when, is not shown: ${error.message}`)
    return undefined
  }
}

function timeline(events: readonly RecordedEvent[] = [], shape: Shape): string {
  return events.length === 0 ? '' : `\n${EVENTS_HEAD}${events.map(eventWriter(shape)).join('')}`
}

/** A shop's own id may look like one of the gateway's. */
async function ordersNamed(id: string, port: SandboxPort, world: World): Promise<readonly Timeline[]> {
  const named = await ordersOf<Timeline>({ clientOrderId: id }, port, world)
  if (!/^\d{15}$/.test(id)) return named
  const byId = await findInSandbox<Timeline>('GET', `/orders/${id}`, undefined, port, world)
  return [...(byId === undefined ? [] : [byId]), ...named.filter(({ orderId }) => orderId !== id)]
}
