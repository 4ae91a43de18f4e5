import { httpAddress, UsageError } from '../arguments/parse.ts'

/** Where the gateway sends callbacks, and where they arrive: behind a tunnel or a proxy these are two addresses. */
export interface CallbackPlace {
  readonly url: string
  readonly listenAt: ListenAddress
}

interface Given {
  readonly 'callback-url'?: string | undefined
  readonly 'callback-listen'?: string | undefined
}

/** `undefined` if callbacks are not asked for. @throws UsageError */
export function callbackPlaceOf({ 'callback-url': url, 'callback-listen': at }: Given): CallbackPlace | undefined {
  if (url === undefined) {
    if (at === undefined) return undefined
    throw new UsageError(`--callback-url is missing: where the gateway reaches what listens at ${at}`)
  }
  const address = httpAddress(url, '--callback-url', 'http://shop.example:8080/')
  if (address.username !== '' || address.password !== '')
    throw new UsageError('--callback-url takes an address without user name and password')
  return { url: address.href, listenAt: at === undefined ? ownPort(address) : listenAddress(at) }
}

/** Without a tunnel or a proxy, the gateway calls this machine itself. */
function ownPort({ protocol, port }: URL): ListenAddress {
  if (protocol === 'http:') return { host: undefined, port: port === '' ? 80 : Number(port) }
  throw new UsageError(
    'an https --callback-url needs --callback-listen HOST:PORT: ' +
      'where the tunnel or proxy that has the certificate passes callbacks on to, such as 127.0.0.1:8080',
  )
}

const LISTEN_ADDRESS = /^(?:(?:\[([\da-f:]+)\]|([\w.-]+)):)?([1-9]\d{0,4})$/i

/** `8080`, `127.0.0.1:8080` or `[::1]:8080`. */
function listenAddress(text: string): ListenAddress {
  const [, v6, host, port = ''] = LISTEN_ADDRESS.exec(text) ?? []
  if (port !== '' && Number(port) <= 65_535) return { host: v6 ?? host, port: Number(port) }
  throw new UsageError('--callback-listen takes HOST:PORT or PORT, such as 127.0.0.1:8080')
}

/** An address of this machine. */
export interface ListenAddress {
  /** `undefined`: all interfaces, because the gateway may be on another machine. */
  readonly host: string | undefined
  readonly port: number
}

/** Receives callbacks under any path, and answers each with 200. */
export interface CallbackListener {
  /** The query of the first callback of an order, or `undefined` if none came in time. */
  readonly wait: (clientOrderId: string, deadlineMs: number) => Promise<string | undefined>
  /** How many requests came, of whatever order. */
  readonly received: () => number
  readonly close: () => Promise<void>
}
