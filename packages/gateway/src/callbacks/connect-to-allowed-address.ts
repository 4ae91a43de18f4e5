import { isIP } from 'node:net'
import { callbackify } from 'node:util'
import type { buildConnector } from 'undici'
import { AddressNotAllowedError } from '../http/address-not-allowed.ts'
import { type AddressRules, isAllowedAddress, isSameAddress } from '../http/allowed-address.ts'
import type { ResolveName } from './resolve-name.ts'

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
export function connectToAllowedAddress(guard: GuardOptions): buildConnector.connector {
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
