import { suggestName } from '@tallystick/core/internal'
import { FAULTS } from '@tallystick/gateway'
import { needed, operationOf, UsageError } from '../arguments/parse.ts'
import { askSandbox, noOrder, ordersOf, sandboxPort } from '../sandbox/ask-sandbox.ts'
import type { World } from '../world.ts'
import type { TriggerEvent, TriggerValues } from './trigger-event.ts'

/** What a gateway in a sandbox does when its port for tests asks for it. Each prints the answer. */

const chargeback: TriggerEvent = {
  name: 'chargeback',
  usage: 'chargeback ORDER',
  meaning: 'the issuer takes back what was sold or captured',
  options: ['sandbox', 'operator-key-file', 'amount'],
  run: async ([order], values, world) => {
    const { amount } = values
    const orderId = await orderIdOf(order, values, world)
    return await done(`/orders/${orderId}/chargeback`, amount === undefined ? {} : { amount }, values, world)
  },
}

const resend: TriggerEvent = {
  name: 'resend',
  usage: 'resend ORDER',
  meaning: 'sends all callbacks of an order again',
  options: ['sandbox', 'operator-key-file'],
  run: async ([order], values, world) => {
    const orderId = await orderIdOf(order, values, world)
    return await done('/callbacks/resend', { orderId }, values, world)
  },
}

const fault: TriggerEvent = {
  name: 'fault',
  usage: 'fault NAME',
  meaning: 'a request or an order goes wrong in this way: the NAMEs are below',
  options: ['sandbox', 'operator-key-file', 'operation', 'client-order-id'],
  run: async ([name], values, world) => {
    const asked = { fault: faultOf(name), ...targetOf(values) }
    return await done('/faults', asked, values, world)
  },
}

const advance: TriggerEvent = {
  name: 'advance',
  usage: 'advance TIME',
  meaning: 'time passes at the gateway, such as 30s, 15m, 24h or 14d',
  options: ['sandbox', 'operator-key-file'],
  run: async ([duration], values, world) =>
    await done('/clock/advance', { duration: needed(duration, 'TIME', 'such as 24h') }, values, world),
}

const reset: TriggerEvent = {
  name: 'reset',
  usage: 'reset',
  meaning: 'forgets all orders, cards and nonces, and the faults that were asked for',
  options: ['sandbox', 'operator-key-file'],
  run: async (_, values, world) => await done('/reset', {}, values, world),
}

export const SANDBOX_EVENTS: readonly TriggerEvent[] = [chargeback, resend, fault, advance, reset]

const FAULT_NAMES = Object.keys(FAULTS)

function faultOf(name: string | undefined): string {
  const named = needed(name, 'NAME', `the fault: ${FAULT_NAMES.join(', ')}`)
  if (FAULT_NAMES.includes(named)) return named
  throw new UsageError(`there is no fault ${named}: ${suggestName(named, FAULT_NAMES)}`)
}

/** What goes wrong: the next request of an operation, or an order. @throws UsageError */
function targetOf({ operation, 'client-order-id': clientOrderId }: TriggerValues) {
  if (operation !== undefined && clientOrderId !== undefined)
    throw new UsageError('--operation and --client-order-id exclude each other')
  if (clientOrderId !== undefined) return { clientOrderId }
  if (operation !== undefined) return { operation: operationOf(operation) }
  throw new UsageError(
    'say what goes wrong: --operation KEY, the next request of this operation, such as sale; ' +
      "or --client-order-id ID, the order with this id of the shop's own",
  )
}

async function done(path: string, body: object, values: TriggerValues, world: World): Promise<number> {
  const answered = await askSandbox('POST', path, body, sandboxPort(values, world), world)
  world.print(`${JSON.stringify(answered, undefined, 2)}\n`)
  return 0
}

/** What the sandbox shows of an order, among other things. */
interface ShownOrder {
  readonly orderId: string
  readonly createdAt: string
  readonly status: string
}

/** The gateway's id of an order that may be named by the shop's own. @throws UsageError if there is none, or more */
async function orderIdOf(order: string | undefined, values: TriggerValues, world: World): Promise<string> {
  const named = needed(order, 'ORDER', "the order, by the gateway's id or the shop's own")
  if (/^\d{15}$/.test(named)) return named
  const [found, ...others] = await ordersOf<ShownOrder>({ clientOrderId: named }, sandboxPort(values, world), world)
  if (found === undefined) throw new UsageError(noOrder(named))
  if (others.length > 0) {
    const rows = [found, ...others].map((each) => `  ${each.orderId}  ${each.createdAt}  ${each.status}`)
    throw new UsageError(`the sandbox has more than one order ${named}: name it by its first id\n${rows.join('\n')}`)
  }
  return found.orderId
}
