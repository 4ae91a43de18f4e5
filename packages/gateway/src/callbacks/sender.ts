import { lookup, Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { callbackify } from 'node:util'
import type { buildConnector, Client } from 'undici'
import {
  AddressNotAllowedError,
  type AddressRules,
  callbackAddressIssue,
  isAllowedAddress,
  isSameAddress,
} from '../http/allowed-address.ts'
import type { CallbackAnswer, SendCallback } from './callback-answer.ts'
import { IDLE_MS, type Kept, type KeptClients, keptClients } from './kept-clients.ts'

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
 * Sends callbacks over HTTP/1.1 to addresses that strangers gave: only to public ones. Each has its connection to itself. The next one
 * to the same origin may go over it within a second, so that a busy shop is not connected to for each. Redirects are not followed:
 * they could lead anywhere.
 */
export function callbackSender(options: CallbackSenderOptions = {}): CallbackSender {
  const underWay = new Set<AbortController>()
  const kept = keptClients()
  let isClosed = false
  return {
    send: async (url) => {
      if (isClosed) throw new SenderClosedError()
      const attempt = new AbortController()
      const timer = setTimeout(() => attempt.abort(new TimedOutError()), TIMEOUT_MS)
      underWay.add(attempt)
      try {
        return await call(url, attempt.signal, kept, options)
      } finally {
        underWay.delete(attempt)
        clearTimeout(timer)
      }
    },
    close: async () => {
      isClosed = true
      for (const attempt of underWay) attempt.abort(new SenderClosedError())
      kept.close()
    },
  }
}

class TimedOutError extends Error {
  readonly code = 'TIMED_OUT'
}

class SenderClosedError extends Error {
  readonly code = 'SENDER_CLOSED'
}

/** Loaded for the first callback: a gateway that sends none, as in most tests, starts without it. */
let undici: Promise<typeof import('undici')> | undefined

async function call(address: string, signal: AbortSignal, kept: KeptClients, options: CallbackSenderOptions) {
  const { sandbox = false } = options
  const issue = callbackAddressIssue(address, { sandbox })
  if (issue !== undefined) throw new AddressNotAllowedError(issue)
  const url = new URL(address)
  const waiting = kept.take(url.origin, signal)
  if (waiting !== undefined) {
    try {
      return await sendOver(waiting, url, kept)
    } catch (error) {
      if (signal.aborted || !isHungUp(error)) throw error
    }
  }
  undici ??= import('undici')
  const { buildConnector, Client } = await undici
  signal.throwIfAborted()
  const ofThis = () => fresh.signal
  const connect = guardedConnector(ofThis, { connect: buildConnector, ...options })
  const fresh = kept.add(url.origin, new Client(url.origin, { ...CLIENT_OPTIONS, connect }), signal)
  return await sendOver(fresh, url, kept)
}

/** What it looks like when the shop closes a connection after a callback. It has hardly seen the next one. */
const HUNG_UP: ReadonlySet<unknown> = new Set(['UND_ERR_SOCKET', 'UND_ERR_DESTROYED', 'ECONNRESET', 'EPIPE'])

function isHungUp(error: unknown): boolean {
  return error instanceof Error && 'code' in error && HUNG_UP.has(error.code)
}

async function sendOver(connection: Kept, url: URL, kept: KeptClients): Promise<CallbackAnswer> {
  const { client, signal } = connection
  // Not undici's own `signal` of a request, which it checks only once there is a connection.
  const cutOff = () => {
    const reason: Error = signal.reason
    void client.destroy(reason)
  }
  signal.addEventListener('abort', cutOff)
  try {
    const answer = await answerOf(client, url)
    kept.giveBack(connection)
    return answer
  } catch (error) {
    kept.end(connection)
    throw error
  } finally {
    signal.removeEventListener('abort', cutOff)
  }
}

/** HTTP/2 is off, because undici repeats requests there on its own. */
const CLIENT_OPTIONS = {
  allowH2: false,
  pipelining: 1,
  keepAliveTimeout: IDLE_MS,
  keepAliveMaxTimeout: IDLE_MS,
} as const

type Connecting = CallbackSenderOptions & Required<Pick<CallbackSenderOptions, 'connect'>>

function guardedConnector(signal: () => AbortSignal, options: Connecting): buildConnector.connector {
  const { sandbox = false, resolve = sandbox ? askThisMachine : askNameServers(), connect } = options
  return (to, callback) => {
    const guard = { sandbox, resolve, signal: signal(), connect: connect({ ...CONNECT_OPTIONS, signal: signal() }) }
    connectToAllowedAddress(guard)(to, callback)
  }
}

/** Certificates are always verified, whatever `NODE_TLS_REJECT_UNAUTHORIZED` says. */
const CONNECT_OPTIONS = { allowH2: false, timeout: CONNECT_TIMEOUT_MS, rejectUnauthorized: true } as const

/** The head of the answer says all. The rest is read out of politeness, up to a limit, and dropped. */
function answerOf(client: Client, url: URL): Promise<CallbackAnswer> {
  return new Promise((resolve, reject) => {
    let answer: CallbackAnswer | undefined
    let bytes = 0
    client.dispatch(
      { method: 'GET', path: url.pathname + url.search },
      {
        onRequestStart: () => {},
        onResponseStart: (_, status, headers) => {
          const retryAfter = headers['retry-after']
          if (status >= 200) answer = { status, retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined }
        },
        onResponseData: (controller, chunk) => {
          bytes += chunk.byteLength
          if (bytes > MAX_ANSWER_BYTES) controller.abort(new Error('The answer is too long'))
        },
        onResponseEnd: () => (answer === undefined ? reject(new Error('There was no answer')) : resolve(answer)),
        onResponseError: (_, error) => (answer === undefined ? reject(error) : resolve(answer)),
      },
    )
  })
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
