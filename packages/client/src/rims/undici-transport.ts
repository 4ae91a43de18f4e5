import { Agent } from 'undici'
import { milliseconds } from '../milliseconds.ts'
import type { Exchange, Transport } from '../transport.ts'
import { exchange } from './exchange.ts'

export interface UndiciTransportOptions {
  /** How long a connection may take, in milliseconds. Default 10 000 (gaps part 13). */
  readonly connectTimeoutMs?: number
}

/**
 * The transport of the library: HTTP/1.1 over undici.
 *
 * @throws TypeError for a wrong option
 */
export function undiciTransport({ connectTimeoutMs }: UndiciTransportOptions = {}): Transport {
  const agent = new Agent(agentOptions(connectTimeoutMs))
  const underWay = new Set<Promise<Exchange>>()
  let isClosed = false
  return {
    send: async (request, options) => {
      if (isClosed) return { kind: 'not-sent', seen: 'the client was closed before the call began' }
      const sending = exchange(agent, request, options)
      underWay.add(sending)
      return sending.finally(() => underWay.delete(sending))
    },
    // Not `agent.close()`: it would also wait for connections of calls that were given up long ago.
    close: async () => {
      isClosed = true
      await Promise.allSettled(underWay)
      await agent.destroy()
    },
  }
}

/**
 * TLS certificates are always verified, whatever `NODE_TLS_REJECT_UNAUTHORIZED` says. HTTP/2 is off, because undici sends
 * a buffered POST again by itself after GOAWAY or REFUSED_STREAM.
 */
export function agentOptions(connectTimeoutMs = 10_000): Agent.Options {
  const timeout = milliseconds('connectTimeoutMs', connectTimeoutMs)
  return { allowH2: false, connect: { timeout, rejectUnauthorized: true } }
}
