import type { RecordedEvent } from '@tallystick/core'
import type { Shape } from '@tallystick/gateway/internal'
import { operatorKey } from '../arguments/keys.ts'
import { httpAddress, objectIn, UsageError } from '../arguments/parse.ts'
import type { HelpRow } from '../help.ts'
import type { World } from '../world.ts'

/** Where `tallystick gateway --sandbox` has its port for tests, unless it is configured or taken. */
export const DEFAULT_SANDBOX = 'http://127.0.0.1:9465'

const VARIABLE = 'TALLYSTICK_SANDBOX'

export const SANDBOX_OPTIONS = {
  sandbox: { type: 'string' },
  'operator-key-file': { type: 'string' },
} as const

export const SANDBOX_ROW: HelpRow = [
  '--sandbox URL',
  `the sandbox's port for tests; default: the variable ${VARIABLE}, or ${DEFAULT_SANDBOX}`,
]

export const OPERATOR_KEY_ROW: HelpRow = [
  '--operator-key-file FILE',
  'the key of the sandbox, operator.key beside its configuration; default: the variable TALLYSTICK_OPERATOR_KEY',
]

export const JSON_ROW: HelpRow = ['--json', 'one JSON object a line, as it is if the output is no terminal']

/** Whether the output is for a program. */
export function isForProgram(json: boolean | undefined, { isTerminal }: World): boolean {
  return json === true || !isTerminal
}

/** What is printed for a person. */
export function shapeFor({ columns = Number.POSITIVE_INFINITY, isColoured }: World): Shape {
  return { width: columns, isColoured }
}

/** How the command line says where a sandbox is. */
export interface SandboxPlace {
  readonly sandbox?: string | undefined
  readonly 'operator-key-file'?: string | undefined
}

/** The port of a sandbox. */
export interface SandboxPort {
  /** Scheme, host and port. */
  readonly origin: string
  readonly headers: Readonly<Record<string, string>>
}

/** @throws UsageError if the address is none */
export function sandboxPort({ sandbox, 'operator-key-file': keyFile }: SandboxPlace, world: World): SandboxPort {
  const variable = world.environment[VARIABLE]?.trim() || undefined
  const option = sandbox === undefined && variable !== undefined ? VARIABLE : '--sandbox'
  const { origin } = httpAddress(sandbox ?? variable ?? DEFAULT_SANDBOX, option, DEFAULT_SANDBOX)
  const key = operatorKey(keyFile, world)
  return { origin, headers: key === '' ? {} : { authorization: `Bearer ${key}` } }
}

/** What a sandbox answers. */
type Answered = Readonly<Record<string, unknown>>

/**
 * The answer. `undefined`: there is no such order.
 *
 * @throws UsageError with what the sandbox says is wrong, or if something else answers
 */
export async function findInSandbox<Body = Answered>(
  method: 'GET' | 'POST',
  path: string,
  body: object | undefined,
  { origin, headers }: SandboxPort,
  world: World,
): Promise<Body | undefined> {
  const url = `${origin}/__sandbox${path}`
  const answer = await world.send({
    method,
    url,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if ('failure' in answer) throw new UsageError(`no sandbox answers at ${origin}: ${answer.failure}`)
  const answered = objectIn(answer.body)
  if (answer.status === 200 && answered !== undefined) return answered as Body
  if (answer.status === 404 && answered?.['error'] === NO_ORDER) return undefined
  throw refusedBy(origin, answer, answered)
}

/** Why the port did not do what it was asked for. */
function refusedBy(
  origin: string,
  { status, statusText }: { readonly status: number; readonly statusText: string },
  answered: Answered | undefined,
): UsageError {
  if (typeof answered?.['error'] !== 'string') return noSandbox(origin, ` (${status} ${statusText})`)
  return new UsageError(status === 401 ? KEY_MISSING : `the sandbox refused it: ${answered['error']}`)
}

const NO_ORDER = 'there is no order of this id'

const KEY_MISSING =
  'the operator key is missing or wrong: give --operator-key-file FILE, which is operator.key beside the configuration of ' +
  'the gateway, or set TALLYSTICK_OPERATOR_KEY'

/** The same of what is there. @throws UsageError also if there is no such order */
export async function askSandbox(...asking: Parameters<typeof findInSandbox>): Promise<Answered> {
  const answered = await findInSandbox(...asking)
  if (answered === undefined) throw new UsageError(`the sandbox refused it: ${NO_ORDER}`)
  return answered
}

function noSandbox(where: string, seen = ''): UsageError {
  return new UsageError(
    `what answers at ${where} is no sandbox${seen}: its port for tests is in the line listening of the gateway's log`,
  )
}

/** The orders that a sandbox lists. @throws UsageError if it lists none */
export async function ordersOf<Order>(
  filter: Readonly<Record<string, string>>,
  port: SandboxPort,
  world: World,
): Promise<readonly Order[]> {
  const query = new URLSearchParams(filter)
  const { orders } = await askSandbox('GET', `/orders?${query.toString()}`, undefined, port, world)
  if (!Array.isArray(orders)) throw noSandbox(port.origin)
  return orders
}

/** The events of a recording, each as it comes. @throws UsageError if the sandbox refuses, or something else answers */
export async function* eventsOf(
  path: string,
  { origin, headers }: SandboxPort,
  world: World,
): AsyncGenerator<RecordedEvent> {
  const answer = await world.stream({ method: 'GET', url: `${origin}/__sandbox${path}`, headers })
  if ('failure' in answer) throw new UsageError(`no sandbox answers at ${origin}: ${answer.failure}`)
  if (answer.status !== 200) {
    let body = ''
    for await (const line of answer.lines) body += line
    throw refusedBy(origin, answer, objectIn(body))
  }
  for await (const line of answer.lines) {
    // The other lines of a stream of events are ids and signs of life.
    const event = objectIn(line.replace(/^data: ?/, '')) as RecordedEvent | undefined
    if (event !== undefined) yield event
    else if (!/^(?:id:|:|$)/.test(line)) throw noSandbox(origin)
  }
}

/** What to say if no order has an id. */
export function noOrder(named: string): string {
  return `the sandbox has no order ${named}: what it had before a reset is gone, and before a restart too if its store is memory`
}
