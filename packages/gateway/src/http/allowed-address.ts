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

/** No connection was opened: the gateway does not call this address. */
export class AddressNotAllowedError extends Error {
  override readonly name = 'AddressNotAllowedError'
  readonly code = 'ADDRESS_NOT_ALLOWED'
  readonly issue: CallbackAddressIssue

  constructor(issue: CallbackAddressIssue) {
    super(`The address of a callback is not allowed (${issue})`)
    this.issue = issue
  }
}

/**
 * Why the gateway does not call an address:
 *
 * - `scheme`: it is not an http or https address;
 * - `userinfo`: it holds a user name or a password;
 * - `port`: not 80 or 8080 with http, 443 or 8443 with https (gaps part 6);
 * - `host`: it is an IP address that is not public, or a name of one.
 */
type CallbackAddressIssue = 'scheme' | 'userinfo' | 'port' | 'host'

/** What the address must be instead. */
export const ADDRESS_RULES: Readonly<Record<CallbackAddressIssue, string>> = {
  scheme: 'must be an http or https address',
  userinfo: 'must hold no user name and no password',
  port: 'must name port 80 or 8080 with http, 443 or 8443 with https',
  host: 'must name a public host',
}

/** An empty port is the scheme's default. */
const PORTS: Readonly<Record<string, readonly string[]>> = {
  'http:': ['', '8080'],
  'https:': ['', '8443'],
}

/**
 * What is wrong with a callback address by its text alone, before any name is looked up. Requests with such an address are
 * refused, and so is every attempt to call it. The WHATWG URL parser has normalized the host by then: numbers in decimal,
 * octal or hex, in full width or percent-encoded, have become the IP address that they mean.
 */
export function callbackAddressIssue(address: string, rules: AddressRules): CallbackAddressIssue | undefined {
  const url = URL.parse(address)
  const ports = PORTS[url?.protocol ?? '']
  if (url === null || ports === undefined) return 'scheme'
  if (hasUser(url)) return 'userinfo'
  if (!rules.sandbox && !ports.includes(url.port)) return 'port'
  const host = unbracketed(url.hostname)
  return isIP(host) !== 0 && !isAllowedAddress(host, rules) ? 'host' : undefined
}

/** Whether an address holds a user name or a password. */
export function holdsUser(address: string): boolean {
  const url = URL.parse(address)
  return url !== null && hasUser(url)
}

function hasUser({ username, password }: URL): boolean {
  return username !== '' || password !== ''
}

/** A URL writes an IPv6 address in brackets. */
function unbracketed(hostname: string): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
}
