import type { GatewayReply } from '@tallystick/core'
import { NO_FRAME, NOTHING, SAFE_HEADERS } from '../http/reply.ts'
import type { Layout, Page, PageAnswer } from './layout.ts'

interface Writing {
  readonly basePath: string
  readonly common: Readonly<Record<string, string>>
  /** New for every answer. */
  readonly nonce: string
  readonly layout: Layout
}

/** Two years, as browsers' preload lists ask for. */
const HSTS = { 'strict-transport-security': 'max-age=63072000' }

/** Headers of every page. Over HTTPS they tell browsers to use nothing else. */
export function commonHeaders(isHttps: boolean): Readonly<Record<string, string>> {
  return { ...SAFE_HEADERS, ...(isHttps ? HSTS : {}) }
}

/** Writes what a page answers. */
export function writePage(answer: PageAnswer, { basePath, common, nonce, layout }: Writing): GatewayReply {
  const headers: Record<string, string> = { ...common }
  if (answer.kind === 'see-other') {
    headers['location'] = `${basePath}${answer.to}`
    return { status: 303, headers, body: '' }
  }
  headers['content-type'] = 'text/html; charset=utf-8'
  headers['content-security-policy'] = policyOf(answer, nonce)
  // As a header: a `meta` element would do the same, but checkers report it as a fault of the page.
  if (answer.refreshAfter !== undefined) headers['refresh'] = String(answer.refreshAfter)
  if (answer.headers !== undefined) Object.assign(headers, answer.headers)
  return { status: answer.status ?? 200, headers, body: layout(answer, nonce) }
}

/**
 * Allows nothing from elsewhere, and no style or script without the nonce of this answer.
 *
 * @see {@link https://www.w3.org/TR/CSP3/}
 */
function policyOf({ formTargets, frames, framedBy }: Page, nonce: string): string {
  const ancestors = framedBy === undefined ? NO_FRAME : `frame-ancestors ${framedBy.join(' ')}`
  const targets = formTargets === undefined ? "'self'" : formTargets.join(' ')
  const framed = frames === undefined ? '' : `; frame-src ${frames.join(' ')}`
  // `data:` is for the empty icon: without it a browser asks for an icon that does not exist.
  return `${NOTHING}; ${ancestors}; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; img-src data:; form-action ${targets}${framed}`
}

/**
 * The schemes to allow for an address, as sources of a Content-Security-Policy. Not its host: browsers apply the policy to
 * redirects of the answer too, which may lead to another host.
 *
 * @see {@link https://www.w3.org/TR/CSP3/#directive-form-action}
 */
export function anyHost(address: string): readonly string[] {
  return /^https:/i.test(address) ? ['https:'] : ['http:', 'https:']
}
