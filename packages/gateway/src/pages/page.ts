import type { SafeHtml } from '@remix-run/html-template'
import type { Language } from '../texts/languages.ts'

/** What a page route answers, before it is written with its headers. */
export type PageAnswer = Page | SeeOther

/** A page of the gateway. */
export interface Page {
  readonly kind: 'page'
  /** Default 200. */
  readonly status?: number
  readonly language: Language
  readonly title: string
  /** Made by the `html` tag, which escapes everything put into it. */
  readonly body: SafeHtml
  /**
   * The page's script, as a constant text. It runs at the end of the body under the nonce. `data-` attributes hold what it
   * needs from the order.
   */
  readonly script?: string
  /** Where forms of the page may be sent, as sources of a Content-Security-Policy. Default: to the gateway alone. */
  readonly formTargets?: readonly string[]
  /** What the page may hold in frames, as sources of a Content-Security-Policy. Default: nothing. */
  readonly frames?: readonly string[]
  /** Which sites may hold the page in a frame, as sources of a Content-Security-Policy. Default: none. */
  readonly framedBy?: readonly string[]
  /** After how many seconds the browser reloads the page. Default: never. */
  readonly refreshAfter?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** Sends the browser to another address of the gateway by GET (RFC 9110 section 15.4.4), so that a reload sends nothing twice. */
export interface SeeOther {
  readonly kind: 'see-other'
  /** Below the base path. */
  readonly to: string
}
