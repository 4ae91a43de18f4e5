import type { GatewayReply } from '../http/exchange.ts'
import type { Layout } from './layout.ts'
import type { Page, PageAnswer } from './page.ts'
import type { Language } from './texts/languages.ts'

export interface Writing {
  readonly basePath: string
  readonly isHttps: boolean
  /** New for every answer. */
  readonly nonce: string
  /** Of the browser. */
  readonly language: Language
  readonly layout: Layout
}

/** Two years, as browsers' own lists of such hosts ask for. */
const HSTS = { 'strict-transport-security': 'max-age=63072000' }

/** Writes what a page answers, with headers that let nobody keep it, hear of its address or take it for something else. */
export function writePage(answer: PageAnswer, writing: Writing): GatewayReply {
  const common = {
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    ...(writing.isHttps ? HSTS : {}),
  }
  if (answer.kind === 'see-other') {
    const headers = {
      ...common,
      'content-security-policy': `${NOTHING}; ${NO_FRAME}`,
      location: `${writing.basePath}${answer.to}`,
    }
    return { status: 303, headers, body: '' }
  }
  return {
    status: answer.status ?? 200,
    headers: {
      ...common,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policyOf(answer, writing),
      ...refresh(answer),
      ...answer.headers,
    },
    body: writing.layout(answer, { nonce: writing.nonce, language: answer.language ?? writing.language }),
  }
}

const NOTHING = "default-src 'none'; base-uri 'none'"
const NO_FRAME = "frame-ancestors 'none'"

/**
 * Nothing from elsewhere, and no style or script without the nonce of this answer.
 *
 * @see {@link https://www.w3.org/TR/CSP3/}
 */
function policyOf({ formTargets, frames, framedBy }: Page, { nonce }: Writing): string {
  const ancestors = framedBy === undefined ? NO_FRAME : `frame-ancestors ${framedBy.join(' ')}`
  const targets = formTargets === undefined ? "'self'" : formTargets.join(' ')
  const framed = frames === undefined ? '' : `; frame-src ${frames.join(' ')}`
  // The empty icon: without it a browser asks for one that is not there.
  return `${NOTHING}; ${ancestors}; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; img-src data:; form-action ${targets}${framed}`
}

/** As a header: a `meta` element would do the same, and be read out as a fault of the page by checkers. */
function refresh({ refreshAfter }: Page): Record<string, string> {
  return refreshAfter === undefined ? {} : { refresh: String(refreshAfter) }
}
