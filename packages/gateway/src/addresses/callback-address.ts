import { isIP } from 'node:net'
import { CallbackNotice } from '@tallystick/core'
import { type AddressRules, isAllowedAddress } from './allowed-address.ts'

/**
 * Why an address is not called. `scheme`: it is no http or https address at all. `userinfo`: it holds a user name or a
 * password. `port`: http goes to 80 and 8080, https to 443 and 8443 (gaps part 6). `host`: it is an IP address, or a name
 * of one, that is not public.
 */
export type CallbackAddressIssue = 'scheme' | 'userinfo' | 'port' | 'host'

/** What an address must be in place of that. */
export const ADDRESS_RULES: Readonly<Record<CallbackAddressIssue, string>> = {
  scheme: 'must be an http or https address',
  userinfo: 'must hold no user name and no password',
  port: 'must name port 80 or 8080 with http, 443 or 8443 with https',
  host: 'must name a public host',
}

/** An empty port is the scheme's own. */
const PORTS: Readonly<Record<string, readonly string[]>> = {
  'http:': ['', '8080'],
  'https:': ['', '8443'],
}

/**
 * What is wrong with a callback address by its text alone, before any name is looked up: what a request may be refused
 * for, and what no attempt gets past. The WHATWG URL standard has read the host by then: numbers in decimal, octal and hex,
 * in full width or percent-encoded, have become the IP address that they mean.
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

/**
 * The name of a callback's parameter (gaps part 6) that the query of its address has already. It would come twice, and
 * a careful receiver refuses a repeated name. All other names are the merchant's own.
 */
export function takenName(address: string): string | undefined {
  const given = URL.parse(address)?.searchParams
  if (given === undefined || given.size === 0) return undefined
  const taken = Object.values(CallbackNotice.fields).flatMap(({ wireName, aliases }) => [wireName, ...aliases])
  return taken.find((name) => given.has(name))
}

/** A URL has an IPv6 address in brackets. */
function unbracketed(hostname: string): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
}
