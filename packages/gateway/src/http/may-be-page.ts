import { isIPv4 } from 'node:net'
import type { GatewayRequest } from '@tallystick/core'

/**
 * Names that no public site can have: a name without a dot, as this machine and containers have; an IPv6 address; what is
 * reserved for private networks (RFC 6761, RFC 6762, RFC 8375, and `.internal`); `.lan` of routers and `.svc` of Kubernetes,
 * which are delegated to nobody.
 */
const NEARBY = /^[^.]+$|\.(?:home\.arpa|internal|lan|local|localhost|svc|test)$/

/**
 * Whether a page of some other site may be asking, which somebody on this machine has open in a browser. Browsers send `Origin`
 * where a page asks another site. Where a site has pointed its own name at this machine (DNS rebinding), its page seems to ask
 * its own site: then `Host` has that name.
 *
 * @param ownHost what this port listens on, where that is a name
 */
export function mayBePage({ headers }: GatewayRequest, ownHost?: string): boolean {
  return headers['origin'] !== undefined || !isNearby(headers['host'], ownHost)
}

/** What a refused caller is told. One that is no page learns how else to ask. */
export function pageRefused({ headers }: GatewayRequest): string {
  const refused = 'a page of a browser may not ask here'
  if (headers['origin'] !== undefined) return refused
  return `${refused}, and ${String(headers['host'])} may be the name of one: ask by an IP address`
}

/** Browsers always name the host that they ask. */
function isNearby(host: GatewayRequest['headers'][string], ownHost: string | undefined): boolean {
  if (host === undefined) return true
  const name = URL.parse(`http://${String(host)}`)?.hostname.replace(/\.$/, '') ?? '.'
  return isIPv4(name) || NEARBY.test(name) || name === ownHost?.toLowerCase()
}
