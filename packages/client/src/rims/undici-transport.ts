import { checkOptions, type Kinds, kind } from '@tallystick/core'
import type { Transport } from '../transport.ts'
import { exchange, type Wire } from './exchange.ts'
import { guardedConnector } from './guarded-connector.ts'
import { UnderWay } from './under-way.ts'
import { Agent } from './undici-parts.ts'
import { wireAddresses } from './wire-addresses.ts'

/** Options of the library's own transport. */
export interface UndiciTransportOptions {
  /** How long a connection may take, in milliseconds. Default 10 000. */
  readonly connectTimeoutMs?: number
}

const KINDS: Kinds<UndiciTransportOptions> = { connectTimeoutMs: kind.milliseconds }

/**
 * The transport of the library: HTTP/1.1 over undici.
 *
 * @throws TypeError for a wrong option
 */
export function undiciTransport(options: UndiciTransportOptions = {}): Transport {
  checkOptions('undiciTransport', options, KINDS)
  const { allowH2, connect } = connectionOptions(options.connectTimeoutMs)
  const agent = new Agent({ allowH2, connect: guardedConnector({ ...connect, allowH2 }) })
  const wire: Wire = { dispatcher: agent, addressOf: wireAddresses(), underWay: new UnderWay() }
  let isClosed = false
  return {
    send: (request, call) => {
      if (!isClosed) return exchange(wire, request, call)
      return Promise.resolve({ kind: 'not-sent', seen: 'the client was closed before the call began' })
    },
    // Not `agent.close()`: it would also wait for connections of calls that were given up long ago.
    close: async () => {
      isClosed = true
      await wire.underWay.none()
      await agent.destroy()
    },
  }
}

/**
 * TLS certificates are always verified, whatever `NODE_TLS_REJECT_UNAUTHORIZED` says, and no protocol below 1.2 is spoken,
 * whatever the options of Node say. HTTP/2 is off, because undici sends
 * a buffered POST again by itself after GOAWAY or REFUSED_STREAM.
 */
export function connectionOptions(timeout = 10_000) {
  return { allowH2: false, connect: { timeout, rejectUnauthorized: true, minVersion: 'TLSv1.2' } } as const
}
