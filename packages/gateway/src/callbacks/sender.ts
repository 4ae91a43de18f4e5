import type { buildConnector, Dispatcher } from 'undici'
import { AddressNotAllowedError } from '../http/address-not-allowed.ts'
import { callbackAddressIssue } from '../http/callback-address.ts'
import type { SendCallback } from './callback-answer.ts'
import { connectToAllowedAddress } from './connect-to-allowed-address.ts'
import { askNameServers, askThisMachine, type ResolveName } from './resolve-name.ts'

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
