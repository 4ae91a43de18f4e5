import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

export interface AddressRules {
  /** Whether callbacks may go to this machine, at any port. No other private address is ever allowed. */
  readonly sandbox: boolean
}

/** Looks public but is not: in Azure, a virtual machine reaches its host here, which hands out credentials. */
const AZURE_HOST = '168.63.129.16'

/** All that IANA has assigned as global unicast (RFC 4291 section 2.4, IANA's registry). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Whether the gateway may connect to this IP address. Strangers name it, so it must not lie in the gateway's own network.
 * Never allowed: a text that is not an address in plain form, such as one with octal numbers or a zone.
 */
export function isAllowedAddress(address: string, { sandbox }: AddressRules): boolean {
  if (isIP(address) === 0 || address.includes('%')) return false
  const parsed = ipaddr.parse(address)
  return isPublicUnicast(parsed) || (sandbox && parsed.range() === 'loopback')
}

/**
 * ipaddr.js calls some IPv6 addresses outside `GLOBAL_UNICAST` unicast, even if they hold an IPv4 address (`::127.0.0.1`,
 * RFC 4291 section 2.5.5.1). Inside, it knows the special ranges: 6to4, Teredo and others.
 */
function isPublicUnicast(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== 'unicast') return false
  return address instanceof ipaddr.IPv4 ? address.toString() !== AZURE_HOST : address.match(GLOBAL_UNICAST)
}

/** Whether two texts are the same IP address: IPv6 has many spellings. */
export function isSameAddress(one: string, other: string): boolean {
  if (isIP(one) === 0 || isIP(other) === 0) return false
  return ipaddr.parse(one).toNormalizedString() === ipaddr.parse(other).toNormalizedString()
}
