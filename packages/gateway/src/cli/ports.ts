import type { Secret } from '@tallystick/core'
import type { GatewayReply, GatewayRequest } from '@tallystick/core/internal'
import type { Gateway } from '../gateway.ts'
import type { RefusedRequest } from '../http/reject.ts'
import { SAFE_HEADERS } from '../http/reply.ts'
import type { Handle } from '../http/request.ts'
import { type Listener, type ListenOptions, listen } from '../http/server.ts'
import { FilterError } from '../inspection/inspection.ts'
import { admit } from '../requests/operator-access.ts'
import { inTime } from '../runtime/tasks.ts'
import type { Operator } from '../store/operator-record.ts'
import { OUTCOME_WORDS, WRITTEN_OUTCOMES } from './arguments.ts'
import type { Configuration } from './configuration.ts'
import type { Metrics } from './metrics.ts'
import { ConfigurationError } from './read-configuration.ts'
import { READINGS, type Reading } from './readings.ts'

/** The ports of the command, as functions from request to reply. */

/** The challenge of a 401 (RFC 6750 section 3). */
const CHALLENGE: GatewayReply['headers'] = { 'www-authenticate': 'Bearer' }

/**
 * The interface, with `/healthz` (the process answers) and `/readyz` (and its store can be written to).
 *
 * @param started what all but `/healthz` waits for
 */
export function mainPort(started: Promise<Pick<Gateway, 'handle' | 'isReady'>>): Handle {
  return async (request) => {
    if (request.url === '/healthz') return text(200, 'ok\n')
    const gateway = await started
    if (request.url !== '/readyz') return await gateway.handle(request)
    return (await isReady(gateway)) ? text(200, 'ready\n') : text(503, 'the store cannot be written to\n')
  }
}

type Operated = Pick<Gateway, 'isReady' | 'resendCallbacks' | 'recordOutcome' | 'clock' | 'inspect'>

/** What an operator has the running gateway do, by a command. */
interface Errand {
  readonly path: RegExp
  readonly shown: string
  /** A port that is open to a monitoring system is open to its whole network, which must not decide what became of money. */
  readonly isForThisMachine: boolean
  /** @param named what the path captures */
  readonly run: (gateway: Operated, named: readonly string[], by: Operator) => Promise<GatewayReply>
  /** What nobody knows if `run` fails. */
  readonly inDoubt: string
}

const ERRANDS: readonly Errand[] = [
  {
    path: /^\/callbacks\/(\d{15}(?:-\d{1,9})?)\/resend$/,
    shown: 'POST /callbacks/ORDER_ID|CALLBACK_ID/resend',
    isForThisMachine: false,
    run: async (gateway, [id = ''], by) => text(200, `${await gateway.resendCallbacks(id, by)}\n`),
    inDoubt: 'the callbacks are sent again',
  },
  {
    path: /^\/operations\/(\d{15}-\d{1,9})\/outcome\/(\w+)$/,
    shown: `POST /operations/OPERATION_ID/outcome/${OUTCOME_WORDS.join('|')}`,
    isForThisMachine: true,
    run: async (gateway, [operationId = '', given], by) => {
      const word = OUTCOME_WORDS.find((each) => each === given)
      if (word === undefined) return text(400, `the outcome is one of ${OUTCOME_WORDS.join(', ')}\n`)
      if (by.why === '') return text(400, NO_REASON)
      const recorded = await gateway.recordOutcome(operationId, WRITTEN_OUTCOMES[word], by)
      return recorded.ok ? text(200, `${word}\n`) : text(409, `${recorded.reason}\n`)
    },
    inDoubt: 'the outcome is written',
  },
]

const NO_REASON = 'say why the outcome is known, with --why, or in the header Tallystick-Reason\n'

export const NO_ORDER = 'there is no order of this id'

const ALL_SHOWN = ['GET /metrics', ...[...READINGS, ...ERRANDS].map(({ shown }) => shown)].join('\n')

/** A monitoring system waits for 10 s, and needs the other metrics most of all while the store does not answer. */
const METRICS_WAIT_MS = 5_000

/** How long a page may take to read. */
const READING_WAIT_MS = 30_000

export interface Operations {
  readonly metrics: Metrics
  /** The address that the port listens on. */
  readonly host?: string | undefined
  /** Who has this key may send the errands, and read. */
  readonly operatorKey: Secret | undefined
  /** Called with each request that is turned away. */
  readonly onRefused: (refused: RefusedRequest) => void
  readonly onError: (error: unknown) => void
}

const ELSEWHERE = {
  ok: false,
  status: 403,
  reason: 'this is only accepted on the machine of the gateway itself',
} as const

/**
 * `/metrics` for a monitoring system, under any host name; and for whoever has the operator key, but not for pages in a browser, the
 * errands and what is stored.
 */
export function operationsPort(
  gateway: Operated,
  { metrics, host, operatorKey, onRefused, onError }: Operations,
): (request: GatewayRequest, isFromHere?: boolean) => Promise<GatewayReply> {
  async function page(): Promise<GatewayReply> {
    metrics.setReady(await inTime(isReady(gateway), gateway.clock, METRICS_WAIT_MS).catch(() => false))
    const written = text(200, await metrics.text())
    return { ...written, headers: { ...written.headers, 'content-type': metrics.contentType } }
  }

  async function run(errand: Errand, url: string, by: Operator): Promise<GatewayReply> {
    try {
      const [, ...named] = errand.path.exec(url) ?? []
      return await errand.run(gateway, named, by)
    } catch (error) {
      onError(error)
      return text(500, `it is not known whether ${errand.inDoubt}; the log of the gateway says why\n`)
    }
  }

  async function read(reading: Reading, path: string, query: string): Promise<GatewayReply> {
    try {
      const [, ...named] = reading.path.exec(path) ?? []
      const found = await inTime(
        reading.read(gateway, named, new URLSearchParams(query)),
        gateway.clock,
        READING_WAIT_MS,
      )
      return found === undefined ? text(404, `${NO_ORDER}\n`) : json(found)
    } catch (error) {
      if (error instanceof FilterError) return text(400, `${error.message}\n`)
      onError(error)
      return text(500, 'it cannot be read now; the log of the gateway says why\n')
    }
  }

  return async (request, isFromHere) => {
    const { method, url } = request
    if (method === 'GET' && url === '/metrics') return await page()
    const [path = '', query = ''] = url.split(/\?(.*)/s)
    const errand = method === 'POST' ? ERRANDS.find((each) => each.path.test(url)) : undefined
    const reading = method === 'GET' ? READINGS.find((each) => each.path.test(path)) : undefined
    if (errand === undefined && reading === undefined) {
      onRefused({ method, path, status: 404, peer: request.peer, reason: 'there is nothing at this path' })
      return text(404, `${ALL_SHOWN}\n`)
    }
    const isTooFar = errand?.isForThisMachine === true && isFromHere !== true
    const admitted = isTooFar ? ELSEWHERE : admit(request, { host, key: operatorKey })
    if (admitted.ok && errand !== undefined) return await run(errand, url, admitted.by)
    if (admitted.ok && reading !== undefined) return await read(reading, path, query)
    const { status, reason } = admitted.ok ? ELSEWHERE : admitted
    onRefused({ method, path, status, peer: request.peer, reason })
    const refused = text(status, `${reason}\n`)
    return status === 401 ? { ...refused, headers: { ...refused.headers, ...CHALLENGE } } : refused
  }
}

async function isReady(gateway: Pick<Gateway, 'isReady'>): Promise<boolean> {
  return await gateway.isReady().catch(() => false)
}

function json(value: unknown): GatewayReply {
  const headers = { ...SAFE_HEADERS, 'content-type': 'application/json' }
  return { status: 200, headers, body: `${JSON.stringify(value)}\n` }
}

function text(status: number, body: string): GatewayReply {
  return { status, headers: { ...SAFE_HEADERS, 'content-type': 'text/plain; charset=utf-8' }, body }
}

/** The errors for a `host` that is no address of this machine. */
const OTHER_HOST: ReadonlySet<unknown> = new Set(['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'])

interface Place extends ListenOptions {
  /** Whether any free port will do if that one is taken. */
  readonly orAnyPort?: boolean
}

/** Listens where a setting says. @throws ConfigurationError that names the setting */
export async function listenAt(
  setting: string,
  handle: Parameters<typeof listen>[0],
  { orAnyPort = false, ...at }: Place,
): Promise<Listener> {
  try {
    return await listen(handle, at)
  } catch (error) {
    const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
    if (orAnyPort && isTaken) return await listenAt(setting, handle, { ...at, port: 0 })
    throw new ConfigurationError(cannotListen(setting, at, error as NodeJS.ErrnoException))
  }
}

function cannotListen(setting: string, { host, port }: ListenOptions, { code }: NodeJS.ErrnoException): string {
  if (code === 'EADDRINUSE') return `${setting}: ${port} on ${host} is taken (${code}): choose another for "${setting}"`
  if (!OTHER_HOST.has(code)) return `${setting}: cannot listen on ${port} of ${host} (${code})`
  const hostSetting = setting.replace('port', 'host').replace('Port', 'Host')
  return `${hostSetting}: ${host} is no address of this machine (${code}); 0.0.0.0 stands for all of its addresses`
}

/** A port that another program has, and what is used instead. */
export interface MovedPort {
  readonly setting: string
  readonly from: number
  readonly to: number
}

/** The ports of a configuration that were taken. `origins`: where it listens instead, by their settings. */
export function movedPorts(
  configuration: Pick<Configuration, 'port' | 'metricsPort' | 'sandboxPort'>,
  origins: Readonly<Record<'port' | 'metricsPort' | 'sandboxPort', string>>,
): readonly MovedPort[] {
  return (['port', 'metricsPort', 'sandboxPort'] as const).flatMap((setting) => {
    const [from, to] = [configuration[setting], Number(new URL(origins[setting]).port)]
    return from === 0 || from === to ? [] : [{ setting, from, to }]
  })
}

const BASE_PATH = '/paynet'

/**
 * The path under which the gateway serves. With a `publicUrl` it is the path of that, even behind a proxy: pages and signatures
 * know no other.
 *
 * @throws ConfigurationError if `basePath` and the path of `publicUrl` differ
 */
export function basePathOf({ basePath, publicUrl }: Pick<Configuration, 'basePath' | 'publicUrl'>): string {
  if (publicUrl === undefined) return basePath ?? BASE_PATH
  const path = new URL(publicUrl).pathname.replace(/\/$/, '')
  if (basePath === undefined || basePath === path) return path
  throw new ConfigurationError(
    `basePath: is "${basePath}", and the path of publicUrl is "${path}": they have to be the same; leave basePath out`,
  )
}

/** The host, if the gateway listens on all addresses of the machine. */
const WHOLE_MACHINE = /\/(0\.0\.0\.0|\[::\]):/

/** An origin as a caller on this machine needs it: nobody can call the address that stands for all of them. */
export function callable(origin: string): string {
  return origin.replace(WHOLE_MACHINE, '/127.0.0.1:')
}

/**
 * The address that merchants call. If the configuration does not say, the address that the gateway listens on; but nobody can
 * call, or sign for, the one that stands for all addresses of a machine, so that becomes 127.0.0.1.
 */
export function publicUrlOf(configuration: Pick<Configuration, 'basePath' | 'publicUrl'>, origin: string): string {
  return configuration.publicUrl ?? callable(origin) + basePathOf(configuration)
}
