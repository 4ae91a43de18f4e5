import { isIP, isIPv4 } from 'node:net'
import type { GatewayRequest } from '@tallystick/core/internal'
import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Network = ReturnType<typeof ipaddr.parseCIDR>

/** Who sends requests, also from behind proxies that the operator trusts. */
export interface CallerAddresses {
  /** The address of the connection or, if that is a trusted proxy's, the one that the trusted proxies name. */
  of(request: Pick<GatewayRequest, 'headers' | 'peer'>): string | undefined
  /**
   * What this address is counted under: IPv6 by its /64, which one household or server has (RFC 6177, RFC 7421). `undefined`:
   * it is not a customer's but that of a proxy, which all customers share.
   */
  countedAs(address: string | undefined): string | undefined
}

interface CallerRules {
  /** Addresses and networks in CIDR notation. `undefined`: the operator has said nothing. */
  readonly trustedProxies: readonly string[] | undefined
  /** Whether customers come by https. The gateway has no certificate: a private address is then that of the proxy that has it. */
  readonly isHttps: boolean
}

/** Where a proxy is and no customer of the Internet. `carrierGradeNat`: clouds use it inside. */
const PRIVATE: ReadonlySet<string> = new Set(['private', 'loopback', 'linkLocal', 'uniqueLocal', 'carrierGradeNat'])

/** IPv6 addresses that each stand for one of IPv4 (RFC 6052, RFC 6145): all are in one /64. */
const TRANSLATED: ReadonlySet<string> = new Set(['rfc6052', 'rfc6145'])

/** @throws TypeError that names a wrong entry */
export function callerAddresses({ trustedProxies, isHttps }: CallerRules): CallerAddresses {
  const trusted = (trustedProxies ?? []).map(networkOf)
  const isTrusted = (address: Address) =>
    trusted.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits))
  const isProxy = (address: Address) =>
    isTrusted(address) || (trustedProxies === undefined && isHttps && PRIVATE.has(address.range()))
  return {
    of: ({ headers, peer }) => {
      if (trusted.length === 0 && isIPv4(peer ?? '')) return peer
      let caller = addressOf(peer)
      if (caller === undefined) return peer
      // Each proxy appends whom it heard: what is left of the first that is not trusted may be made up.
      const named = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',')
      while (isTrusted(caller)) {
        const before = addressOf(named.pop())
        if (before === undefined) break
        caller = before
      }
      return caller.toString()
    },
    countedAs: (text) => {
      const address = addressOf(text)
      if (address === undefined || isProxy(address)) return undefined
      const isWhole = address instanceof ipaddr.IPv4 || TRANSLATED.has(address.range())
      return isWhole ? address.toString() : `${address.parts.slice(0, 4).join(':')}::/64`
    },
  }
}

function networkOf(text: string): Network {
  const whole = text.includes('/') ? text : `${text}/${text.includes(':') ? 128 : 32}`
  const isNetwork = ipaddr.isValidCIDR(whole) && addressOf(whole.split('/')[0]) !== undefined
  if (isNetwork && !whole.endsWith('/0')) return ipaddr.parseCIDR(whole)
  if (isNetwork) throw new TypeError(`${text} is everybody, who could then make up any address: name the proxies alone`)
  throw new TypeError(`${text} is neither an IP address nor a network such as 10.0.0.0/8`)
}

/** Some proxies add the port. A socket names the zone of a link-local address, and IPv4 in the way of IPv6. */
const WITH_PORT = /^\[(.+)\](?::\d+)?$|^(\d+\.\d+\.\d+\.\d+):\d+$/

function addressOf(text = ''): Address | undefined {
  const trimmed = text.trim()
  const [, six, four] = WITH_PORT.exec(trimmed) ?? []
  const plain = (six ?? four ?? trimmed).replace(/%.*$/s, '')
  return isIP(plain) === 0 ? undefined : ipaddr.process(plain)
}
