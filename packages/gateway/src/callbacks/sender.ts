import { lookup, Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { callbackify } from 'node:util'
import type { buildConnector, Dispatcher } from 'undici'
import {
  AddressNotAllowedError,
  type AddressRules,
  callbackAddressIssue,
  isAllowedAddress,
  isSameAddress,
} from '../http/allowed-address.ts'
import type { SendCallback } from './callback-answer.ts'

/** How long a merchant has to acknowledge a callback, from the look-up of its name on. */
const TIMEOUT_MS = 15_000
/** How long connecting to one of its addresses may take. */
const CONNECT_TIMEOUT_MS = 5000
const MAX_ANSWER_BYTES = 65_536

export interface CallbackSenderOptions {
  /** Whether callbacks may go to this machine, and to any port. Default `false`. */
  readonly sandbox?: boolean
  /** Default: asks the name servers, in a sandbox this machine. */
  readonly resolve?: ResolveName
  /** Opens connections to addresses that passed the check. Default: over TCP, with verified TLS. */
  readonly connect?: (options: buildConnector.BuildOptions) => buildConnector.connector
}

export interface CallbackSender {
  readonly send: SendCallback
  /** Cuts off the callbacks under way. */
  close(): Promise<void>
}

/**
 * Sends callbacks over HTTP/1.1 to addresses that strangers gave: only to public ones, each over a connection of its own,
 * which no later attempt reuses. Redirects are not followed: they could lead anywhere.
 */
export function callbackSender(options: CallbackSenderOptions = {}): CallbackSender {
  const underWay = new Set<AbortController>()
  let isClosed = false
  return {
    send: async (url) => {
      if (isClosed) throw new SenderClosedError()
      const attempt = new AbortController()
      const timer = setTimeout(() => attempt.abort(new TimedOutError()), TIMEOUT_MS)
      underWay.add(attempt)
      try {
        return await call(url, attempt.signal, options)
      } finally {
        underWay.delete(attempt)
        clearTimeout(timer)
      }
    },
    close: async () => {
      isClosed = true
      for (const attempt of underWay) attempt.abort(new SenderClosedError())
    },
  }
}

class TimedOutError extends Error {
  readonly code = 'TIMED_OUT'
}

class SenderClosedError extends Error {
  readonly code = 'SENDER_CLOSED'
}

async function call(address: string, signal: AbortSignal, options: CallbackSenderOptions) {
  const { sandbox = false } = options
  const issue = callbackAddressIssue(address, { sandbox })
  if (issue !== undefined) throw new AddressNotAllowedError(issue)
  const url = new URL(address)
  // Loaded for the first callback: a gateway that sends none, as in most tests, starts without it.
  const { buildConnector, Client } = await import('undici')
  signal.throwIfAborted()
  const connect = guardedConnector(signal, { connect: buildConnector, ...options })
  const client = new Client(url.origin, { ...CLIENT_OPTIONS, connect })
  // Not undici's own `signal` of a request, which it checks only once there is a connection.
  signal.addEventListener('abort', () => {
    const reason: Error = signal.reason
    void client.destroy(reason)
  })
  try {
    return await answerOf(await client.request({ method: 'GET', path: url.pathname + url.search }))
  } finally {
    await client.destroy()
  }
}

/** No pipelining: the connection ends with its answer. HTTP/2 is off, because undici repeats requests there on its own. */
const CLIENT_OPTIONS = { allowH2: false, pipelining: 0 } as const

type Connecting = CallbackSenderOptions & Required<Pick<CallbackSenderOptions, 'connect'>>

function guardedConnector(signal: AbortSignal, options: Connecting): buildConnector.connector {
  const { sandbox = false, resolve = sandbox ? askThisMachine : askNameServers(), connect } = options
  return connectToAllowedAddress({ sandbox, resolve, signal, connect: connect({ ...CONNECT_OPTIONS, signal }) })
}

/** Certificates are always verified, whatever `NODE_TLS_REJECT_UNAUTHORIZED` says. */
const CONNECT_OPTIONS = { allowH2: false, timeout: CONNECT_TIMEOUT_MS, rejectUnauthorized: true } as const

/** The head of the answer says all. The rest is read out of politeness, up to a limit, and dropped. */
async function answerOf({ statusCode, headers, body }: Dispatcher.ResponseData) {
  await body.dump({ limit: MAX_ANSWER_BYTES }).catch(() => undefined)
  const retryAfter = headers['retry-after']
  return { status: statusCode, retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined }
}

interface GuardOptions extends AddressRules {
  readonly resolve: ResolveName
  /** Opens a connection to the IP address in `hostname`. */
  readonly connect: buildConnector.connector
  readonly signal: AbortSignal
}

type Socket = Extract<Parameters<buildConnector.Callback>, [null, unknown]>[1]

/** How many addresses of a name are tried, one after the other. */
const MAX_ADDRESSES = 3

/**
 * undici's connect hook for addresses that strangers give. It looks the name up once; if any of its addresses is not allowed,
 * it connects to none. The connection goes to an address that was checked, so a name that resolves to something else a moment
 * later gains nothing.
 */
function connectToAllowedAddress(guard: GuardOptions): buildConnector.connector {
  return (options, callback) => {
    callbackify(() => open(options, guard))((error, socket) => {
      if (error === null) callback(null, socket)
      else callback(error, null)
    })
  }
}

async function open(options: buildConnector.Options, guard: GuardOptions): Promise<Socket> {
  const { hostname } = options
  const addresses = isIP(hostname) === 0 ? await guard.resolve(hostname, guard.signal) : [hostname]
  if (addresses.length === 0 || !addresses.every((address) => isAllowedAddress(address, guard))) {
    throw new AddressNotAllowedError('host')
  }
  return await connectToFirst(addresses.slice(0, MAX_ADDRESSES), options, guard)
}

async function connectToFirst(
  [address = '', ...others]: readonly string[],
  options: buildConnector.Options,
  guard: GuardOptions,
): Promise<Socket> {
  try {
    return await connectTo(address, options, guard)
  } catch (error) {
    if (others.length === 0 || guard.signal.aborted) throw error
    return await connectToFirst(others, options, guard)
  }
}

function connectTo(address: string, options: buildConnector.Options, { connect, signal }: GuardOptions) {
  return new Promise<Socket>((resolve, reject) => {
    signal.throwIfAborted()
    connect({ ...options, ...serverName(options), hostname: address }, (error, socket) => {
      if (error !== null) return reject(error)
      if (isSameAddress(socket.remoteAddress ?? '', address)) return resolve(socket)
      socket.destroy()
      reject(new AddressNotAllowedError('host'))
    })
  })
}

/** TLS asks for the name that the merchant gave, without a dot at its end (RFC 6066 section 3). */
function serverName({ protocol, hostname }: buildConnector.Options): { readonly servername?: string } {
  return protocol === 'https:' && isIP(hostname) === 0 ? { servername: hostname.replace(/\.$/, '') } : {}
}

/** Resolves to all IP addresses of a name. Once `signal` is aborted, the look-up need not go on. */
export type ResolveName = (name: string, signal: AbortSignal) => Promise<readonly string[]>

/** The questions of one look-up to the name servers; `cancel` ends those under way. */
export type NameServers = Pick<Resolver, 'resolve4' | 'resolve6' | 'cancel'>

/** In milliseconds. A name server that is silent is asked twice. */
const PATIENCE = { timeout: 2000, tries: 2 }

/**
 * Asks name servers over the network, and stops in time. The system's own look-up holds one of the few threads of the process
 * until it gives up, so that the names of one merchant, whose name server is silent, would stop the callbacks of all merchants.
 */
export function askNameServers(begin: () => NameServers = () => new Resolver(PATIENCE)): ResolveName {
  return async (name, signal) => {
    signal.throwIfAborted()
    const servers = begin()
    const cancel = () => servers.cancel()
    signal.addEventListener('abort', cancel)
    try {
      const [v4, v6] = await Promise.allSettled([servers.resolve4(name), servers.resolve6(name)])
      if (v4.status === 'rejected' && v6.status === 'rejected') throw ownFailure(v4.reason) ?? v4.reason
      return inTurn(addressesIn(v4), addressesIn(v6))
    } finally {
      signal.removeEventListener('abort', cancel)
    }
  }
}

class NoNameServerError extends Error {
  readonly code = 'NO_NAME_SERVER'
}

/** No socket for a question, or nobody at the address of the name server: nothing that the name is to blame for. */
function ownFailure(error: NodeJS.ErrnoException): Error | undefined {
  return error.code === 'ECONNREFUSED' ? new NoNameServerError('No name server answers', { cause: error }) : undefined
}

function addressesIn(answer: PromiseSettledResult<readonly string[]>): readonly string[] {
  return answer.status === 'fulfilled' ? answer.value : []
}

/** Only the first few are tried, so both kinds alternate: a machine may be able to reach only one of them. */
function inTurn(v4: readonly string[], v6: readonly string[]): readonly string[] {
  const pairs = Array.from({ length: Math.max(v4.length, v6.length) }, (_, at) => [v4[at] ?? [], v6[at] ?? []])
  return pairs.flat(2)
}

/** Resolves as the system does, with the names of this machine and its containers: a sandbox may send callbacks there. */
export const askThisMachine: ResolveName = async (name) => {
  const found = await lookup(name, { all: true })
  return found.map(({ address }) => address)
}
