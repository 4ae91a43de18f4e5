import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

// Who may see which page of a shop. Depends on nothing but Node, so that a shop of yours can copy it.

export interface Refusal {
  readonly status: 401 | 403 | 421
  readonly title: string
  readonly headers: Readonly<Record<string, string>>
}

interface Asked {
  readonly method?: string | undefined
  readonly headers: IncomingHttpHeaders
}

/** The user name of the staff, which is no secret. */
export const STAFF = 'staff'

/** Others can be guessed over the network: nobody counts the attempts here. */
const SHORTEST_PASSWORD = 16

/** The variable with a password of the operator's choice. */
export const STAFF_PASSWORD = 'BACK_OFFICE_PASSWORD'

/** The password that is in the environment, or a new one of 128 bits. @throws TypeError if it is too short */
export function chooseStaffPassword(environment: Readonly<Record<string, string | undefined>> = {}): string {
  const chosen = environment[STAFF_PASSWORD] ?? ''
  if (chosen === '') return randomBytes(16).toString('base64url')
  if (chosen.length >= SHORTEST_PASSWORD) return chosen
  throw new TypeError(`${STAFF_PASSWORD} needs at least ${SHORTEST_PASSWORD} characters`)
}

/**
 * Refuses what a page of another site may have sent. A browser sends the password along whoever asks, so a password alone does
 * not stop a form of that site: it names itself in `Origin`. And a site that has pointed its own name at this machine (DNS
 * rebinding) seems to ask itself, but names itself in `Host`: a proxy in front of the shop has to pass that header on.
 *
 * @param publicUrl where browsers reach the shop: `https://shop.example.com`
 */
export function refuseOtherSites({ method, headers }: Asked, publicUrl: string): Refusal | undefined {
  const { protocol, hostname, host: own, port } = new URL(publicUrl)
  const { origin, 'sec-fetch-site': site = 'none' } = headers
  const host = headers.host?.toLowerCase()
  const isOwn = host === own || (hostname === '127.0.0.1' && host === `localhost:${port}`)
  if (!isOwn) return { status: 421, title: `This shop is at ${publicUrl} only`, headers: {} }
  if (method === 'GET' || method === 'HEAD') return undefined
  // A request with neither header comes from no browser that is still in use.
  const isOwnForm = origin === undefined ? /^(?:none|same-origin)$/.test(site) : origin === `${protocol}//${host}`
  return isOwnForm ? undefined : { status: 403, title: 'This form was sent from another site', headers: {} }
}

/** Refuses whoever does not send the password of the staff: Basic authentication, which is for https or this machine only. */
export function refuseStrangers({ headers }: Asked, password: string): Refusal | undefined {
  const [, credentials = ''] = /^Basic +(\S+)$/i.exec(headers.authorization ?? '') ?? []
  if (isSame(Buffer.from(credentials, 'base64').toString(), `${STAFF}:${password}`)) return undefined
  const challenge = { 'www-authenticate': 'Basic realm="Back office", charset="UTF-8"' }
  return { status: 401, title: 'Only the staff may see this', headers: challenge }
}

/** Compares digests, which are equally long, so that the time tells nothing about either. */
function isSame(one: string, other: string): boolean {
  return timingSafeEqual(createHash('sha256').update(one).digest(), createHash('sha256').update(other).digest())
}
