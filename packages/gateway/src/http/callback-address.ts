import { isIP } from 'node:net'
import { type AddressRules, isAllowedAddress } from './allowed-address.ts'

/**
 * Why the gateway does not call an address:
 *
 * - `scheme`: it is not an http or https address;
 * - `userinfo`: it holds a user name or a password;
 * - `port`: not 80 or 8080 with http, 443 or 8443 with https (gaps part 6);
 * - `host`: it is an IP address that is not public, or a name of one.
 */
export type CallbackAddressIssue = 'scheme' | 'userinfo' | 'port' | 'host'

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
