import type { Outbound } from '@tallystick/client'

/**
 * Seconds after which a page looks again: a few, since whoever has it read out or goes through it by keys begins anew then. As a
 * header: a `meta` element is read out as a fault by checkers.
 */
const REFRESH_AFTER = '5'

export interface PageOptions {
  readonly status?: number
  /** Whether the page is to update itself. */
  readonly isWaiting?: boolean
  /** The origin of the gateway, where the form of the checkout leads on to: browsers ask the policy about that, too. */
  readonly gateway?: string | undefined
}

/** An answer with a page. Nothing of it comes from elsewhere, no script runs, and no other site may put it in a frame. */
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

/** `same-origin`, not `no-referrer`: with the latter browsers do not say which site a form was sent from. */
const COMMON = {
  'cache-control': 'no-store',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
}

/** Sends the browser on. */
export function seeOther(location: string): Outbound {
  return { status: 303, headers: { location, ...COMMON }, body: '' }
}

export function asset(type: string, body: string): Outbound {
  const headers = { 'content-type': type, 'cache-control': 'max-age=300', 'x-content-type-options': 'nosniff' }
  return { status: 200, headers, body }
}
