import { isIPv4 } from 'node:net'
import type { GatewayRequest } from '@tallystick/core'

/**
 * Names that no public site can have: a name without a dot, such as this machine's or a container's; an IPv6 address; names
 * reserved for private networks (RFC 6761, RFC 6762, RFC 8375, and `.internal`); `.lan` of routers and `.svc` of Kubernetes,
 * which are delegated to nobody.
 */
const NEARBY = /^[^.]+$|\.(?:home\.arpa|internal|lan|local|localhost|svc|test)$/

/**
 * Whether the request may come from a page of another site that someone on this machine has open in a browser. Browsers send
 * `Origin` if a page asks another site. If a site has pointed its own name at this machine (DNS rebinding), its page seems to
 * ask its own site, but `Host` has that name.
 *
 * @param ownHost what this port listens on, if that is a name
 */
export function mayBePage({ headers }: GatewayRequest, ownHost?: string): boolean {
  return headers['origin'] !== undefined || !isNearby(headers['host'], ownHost)
}

/** The message for a refused caller. One that is not a page learns how to ask instead. */
export function pageRefused({ headers }: GatewayRequest): string {
  const refused = 'a page in a browser may not ask here'
  if (headers['origin'] !== undefined) return refused
  return `${refused}, and ${String(headers['host'])} may be the name of one: ask by an IP address`
}

/** A request without `Host` comes from no browser: browsers always send it. */
function isNearby(host: GatewayRequest['headers'][string], ownHost: string | undefined): boolean {
  if (host === undefined) return true
  const name = URL.parse(`http://${String(host)}`)?.hostname.replace(/\.$/, '') ?? '.'
  return isIPv4(name) || NEARBY.test(name) || name === ownHost?.toLowerCase()
}
