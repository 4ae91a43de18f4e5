import { answer, type Outbound, redirectTo } from '../callbacks/handler.ts'
import { BROWSER_SCRIPT } from './browser.ts'
import type { AwaitedStep } from './steps.ts'
import type { ReadPageOptions, ThreeDsStep } from './three-ds.ts'

interface Showing {
  readonly returnUrl: string
  readonly methodWaitSeconds: number
  readonly page: ReadPageOptions
  /** Signed. */
  readonly state: string
}

/** The name under which an address carries the state. */
export const STATE_PARAMETER = 'tallystick_3ds'

/** A step for the browser: a method step only if it has a method URL. */
type ShownStep = Exclude<AwaitedStep, { readonly methodUrl: undefined }>

/** A step as the browser gets it. */
export function showStep(awaited: ShownStep, showing: Showing): ThreeDsStep {
  const { returnUrl, page, state } = showing
  switch (awaited.step) {
    case 'method': {
      const frame = { action: awaited.methodUrl, fields: hiddenFieldsOfMethod(awaited.threeDsServerTransId, returnUrl) }
      const { origin } = new URL(returnUrl)
      const waitMs = showing.methodWaitSeconds * 1000
      return { step: 'method', page: methodPage({ frame, onward: withState(returnUrl, state), waitMs, origin }, page) }
    }
    case 'challenge': {
      const fields = { creq: awaited.creq, threeDSSessionData: state }
      return { step: 'challenge', page: sendingPage({ action: awaited.acsUrl, fields }, page) }
    }
    case 'pareq': {
      const fields = { PaReq: awaited.paReq, MD: awaited.md, TermUrl: withState(returnUrl, state) }
      return { step: 'pareq', page: sendingPage({ action: awaited.acsUrl, fields }, page) }
    }
    case 'redirect': {
      const { url, html = '' } = awaited
      return { step: 'redirect', url, page: url === undefined ? gatewayPage(html) : redirectTo(url) }
    }
  }
}

function withState(address: string, state: string): string {
  const url = new URL(address)
  url.searchParams.set(STATE_PARAMETER, state)
  return url.href
}

/** What the hidden frame posts to the method URL (EMV 3-D Secure; gaps part 8): JSON in base64url. */
function hiddenFieldsOfMethod(threeDSServerTransID: string, threeDSMethodNotificationURL: string) {
  const data = JSON.stringify({ threeDSServerTransID, threeDSMethodNotificationURL })
  return { threeDSMethodData: Buffer.from(data).toString('base64url') }
}

/** A form that the page's script sends at once, or a button without script. */
interface SentForm {
  readonly action: string
  readonly fields: Readonly<Record<string, string>>
}

/** A page with one form that takes the customer to the issuer. */
export function sendingPage(form: SentForm, options: ReadPageOptions): Outbound {
  const { texts } = options
  const body = `<p>${escapeHtml(texts.wait)}</p>
<form id="go" method="post" action="${escapeHtml(form.action)}">${hiddenFields(form.fields)}<button>${escapeHtml(texts.proceed)}</button></form>`
  return page(body, `document.getElementById('go').submit()`, options)
}

interface MethodFrame {
  /** The issuer's address, and what is sent there. */
  readonly frame: SentForm
  /** Where the page goes on, with the browser's data and whether the frame completed. */
  readonly onward: string
  readonly waitMs: number
  /** The origin of the page that the frame ends with. */
  readonly origin: string
}

/** What the page in the frame posts to the page around it. */
const COMPLETED = 'tallystick-3ds-method-completed'

/**
 * A page with the hidden frame of the 3DS method (gaps part 8). It goes on when the frame says that it completed (`Y`), or
 * after the wait (`N`). Without script no frame is sent: the button goes on with `N`.
 */
export function methodPage({ frame, onward, waitMs, origin }: MethodFrame, options: ReadPageOptions): Outbound {
  const { texts } = options
  const body = `<p>${escapeHtml(texts.wait)}</p>
<iframe name="method" title="${escapeHtml(texts.title)}" hidden></iframe>
<form id="frame" method="post" action="${escapeHtml(frame.action)}" target="method">${hiddenFields(frame.fields)}</form>
<form id="go" method="post" action="${escapeHtml(onward)}" data-browser-info><input type="hidden" id="completed" name="methodCompletion" value="N"><button>${escapeHtml(texts.proceed)}</button></form>`
  const script = `(()=>{let gone=false;const go=(completed)=>{if(gone)return;gone=true;document.getElementById('completed').value=completed;document.getElementById('go').submit()}
addEventListener('message',(event)=>{if(event.origin===${inScript(origin)}&&event.data===${inScript(COMPLETED)})go('Y')})
document.getElementById('frame').submit()
setTimeout(()=>go('N'),${waitMs})})()`
  return page(body, `${BROWSER_SCRIPT}\n${script}`, options)
}

/** What the frame ends with: it notifies the page around it, if that has the same origin. */
export function completedPage(origin: string, options: ReadPageOptions): Outbound {
  return page('', `parent.postMessage(${inScript(COMPLETED)},${inScript(origin)})`, options)
}

/** A text in a script: `<` could end the script element. */
function inScript(text: string): string {
  return JSON.stringify(text).replaceAll('<', '\\u003c')
}

const HTML = { 'content-type': 'text/html; charset=utf-8' }

function page(body: string, script: string, { nonce, language, texts }: ReadPageOptions): Outbound {
  const html = `<!doctype html>
<html lang="${escapeHtml(language)}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(texts.title)}</title></head>
<body dir="auto">${body}
<script nonce="${nonce}">${script}</script></body></html>`
  return answer(200, html, headersOf(nonce))
}

/**
 * Forms and frames may go to any host: an issuer's address may redirect to another, to which browsers apply the policy as
 * well.
 */
const POLICY = "form-action http: https:; frame-src http: https:; base-uri 'none'"

function headersOf(nonce: string): Readonly<Record<string, string>> {
  return {
    ...HTML,
    'content-security-policy': `default-src 'none'; script-src 'nonce-${nonce}'; ${POLICY}`,
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  }
}

/**
 * A page of the gateway's, as it is. Its scripts and its form are its own: it comes with a policy that allows them and replaces
 * one that the app sets for all of its pages.
 */
export function gatewayPage(html: string): Outbound {
  return answer(200, html, { ...HTML, 'content-security-policy': "object-src 'none'" })
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** A text for an element or a quoted attribute. */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '')
}

/** A form's hidden fields. */
function hiddenFields(fields: Readonly<Record<string, string>>): string {
  return Object.entries(fields)
    .map(([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`)
    .join('')
}
