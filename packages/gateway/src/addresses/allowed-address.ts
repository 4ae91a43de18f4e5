import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

export interface AddressRules {
  /** Whether callbacks may go to this machine, at any port. No other private address is ever allowed. */
  readonly sandbox: boolean
}

/** Looks public and is not: the channel from a virtual machine to its host in Azure, with credentials to be had. */
const AZURE_HOST = '168.63.129.16'

/** Everything that is assigned as unicast of the global internet (RFC 4291 section 2.4, IANA's registry). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Whether a connection to this IP address may be opened: strangers name it, and it must not be one of the gateway's own
 * network. A text that is no address in its plain form, such as one with octal numbers or a zone, never.
 */
export function isAllowedAddress(address: string, { sandbox }: AddressRules): boolean {
  if (isIP(address) === 0 || address.includes('%')) return false
  const parsed = ipaddr.parse(address)
  return isPublicUnicast(parsed) || (sandbox && parsed.range() === 'loopback')
}

/**
 * Outside `GLOBAL_UNICAST` an IPv6 address may hold an IPv4 address (`::127.0.0.1`, RFC 4291 section 2.5.5.1) and still be
 * called unicast by ipaddr.js; inside, it knows the special ranges: 6to4, Teredo and others.
 */
function isPublicUnicast(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== 'unicast') return false
  return address instanceof ipaddr.IPv4 ? address.toString() !== AZURE_HOST : address.match(GLOBAL_UNICAST)
}

/** Whether two texts are one address: IPv6 has many spellings. */
export function isSameAddress(one: string, other: string): boolean {
  if (isIP(one) === 0 || isIP(other) === 0) return false
  return ipaddr.parse(one).toNormalizedString() === ipaddr.parse(other).toNormalizedString()
}
