import type { SecureContextOptions } from 'node:tls'
import { checkOptions, rejectUnknownKeys, type Validators, validator } from '@tallystick/core/internal'
import { guardedConnector, tunnelled } from './connector.ts'
import { exchange, type Wire } from './exchange.ts'
import type { Transport } from './transport.ts'
import { Agent } from './undici-parts.ts'
import { UnderWay, wireAddresses } from './wire.ts'

/** Options of the library's own transport. */
export interface UndiciTransportOptions {
  /** How long a connection may take, in milliseconds. Default 10 000. */
  readonly connectTimeoutMs?: number | undefined
  /** The http address of a proxy for https (by CONNECT), with its user and password. Default none. */
  readonly proxy?: string | undefined
  /** As in `node:tls`: `cert` and `key` of the client's own, `ca` to replace the usual authorities. */
  readonly tls?: Pick<SecureContextOptions, 'ca' | 'cert' | 'key'> | undefined
}

const KINDS: Validators<UndiciTransportOptions> = {
  connectTimeoutMs: validator.milliseconds,
  proxy: {
    wanted: "the http address of a proxy, such as 'http://proxy.example.com:3128'",
    isRight: (value) => typeof value === 'string' && /^http:/i.test(value) && URL.canParse(value),
  },
  tls: validator.object,
}

/**
 * The transport of the library: HTTP/1.1 over undici.
 *
 * @throws TypeError for a wrong option, or in a runtime that undici cannot read replies in
 */
export function undiciTransport(options: UndiciTransportOptions = {}): Transport {
  checkOptions('undiciTransport', options, KINDS)
  requireWebAssembly()
  const { connectTimeoutMs, proxy, tls } = options
  const { allowH2, connect } = connectionOptions(connectTimeoutMs)
  const direct = guardedConnector({ ...connect, allowH2, secureContext: secureContextOf(tls, connect) })
  const agent = new Agent({
    allowH2,
    connect: proxy === undefined ? direct : tunnelled(direct, proxy, connect.timeout),
  })
  const wire: Wire = { dispatcher: agent, addressOf: wireAddresses(), underWay: new UnderWay() }
  let isClosed = false
  return {
    send: (request, call) => {
      if (!isClosed) return exchange(wire, request, call)
      return Promise.resolve({
        kind: 'not-sent',
        seen: 'the client was closed before the call began (close it last, after the server and the journal)',
      })
    },
    // Not `agent.close()`: it would also wait for connections of calls that were aborted long ago.
    close: async () => {
      isClosed = true
      await wire.underWay.none()
      await agent.destroy()
    },
  }
}

/** The types of Node have no value of this name. */
declare const WebAssembly: { readonly Module: new (code: Uint8Array) => unknown }

/** undici parses HTTP with WebAssembly. In a runtime that compiles none, such as Workers, every call would fail. */
function requireWebAssembly(): void {
  try {
    new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0))
  } catch (cause) {
    const runtime = globalThis.navigator?.userAgent ?? 'this runtime'
    throw new TypeError(`undiciTransport: ${runtime} compiles no WebAssembly; see docs/runtimes.md for a transport`, {
      cause,
    })
  }
}

/** Made once, at the start: a wrong certificate must not first show at a payment. */
function secureContextOf(tls: UndiciTransportOptions['tls'], { minVersion }: { readonly minVersion: 'TLSv1.2' }) {
  if (tls === undefined) return undefined
  rejectUnknownKeys('undiciTransport: tls', tls, ['ca', 'cert', 'key'])
  try {
    return process.getBuiltinModule('node:tls').createSecureContext({ ...tls, minVersion })
  } catch (error) {
    throw new TypeError(`undiciTransport: tls: ${(error as Error).message}`)
  }
}

/**
 * TLS certificates are always verified, whatever `NODE_TLS_REJECT_UNAUTHORIZED` says, and no TLS below 1.2 is spoken, whatever
 * the options of Node say. HTTP/2 is off, because undici resends a buffered POST after GOAWAY or REFUSED_STREAM.
 */
export function connectionOptions(timeout = 10_000) {
  return { allowH2: false, connect: { timeout, rejectUnauthorized: true, minVersion: 'TLSv1.2' } } as const
}
