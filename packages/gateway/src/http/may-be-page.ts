import { isIPv4 } from 'node:net'
import type { GatewayRequest } from '@tallystick/core'

/**
 * Names that no site out there can have: one without a dot, as containers and this machine have, an IPv6 address, and what is kept
 * for networks of one's own (RFC 6761, RFC 6762, RFC 8375, and `.internal`, which ICANN delegates to nobody) or delegated to
 * nobody: `.lan` of routers, and `.svc` of Kubernetes.
 */
const NEARBY = /^[^.]+$|\.(?:home\.arpa|internal|lan|local|localhost|svc|test)$/

/**
 * Whether a page of some other site may be asking, which a person has open on this machine. Browsers name its site where it asks
 * another one; a site that leads its own name to this machine seems to ask itself, and is told by the name.
 *
 * @param ownHost what this port listens on, where that is a name
 */
export function mayBePage({ headers }: GatewayRequest, ownHost?: string): boolean {
  return headers['origin'] !== undefined || !isNearby(headers['host'], ownHost)
}

/** What it is told then: who is no page sees by what else to ask. */
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
