import { html, type SafeHtml } from '@remix-run/html-template'
import type { Texts } from '../texts/en.ts'
import { inAscii, inOnePiece, type Language } from '../texts/languages.ts'

/** What a page route answers, before it is written with its headers. */
export type PageAnswer = Page | SeeOther

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

/** Writes a whole page: the frame that all pages have, and the page's own content. */
type Layout = (page: Page, nonce: string) => string

/** Stands for what is new in every page. No text has this character. */
const PLACE = '\0'

/** The frame around a page is written once for each title, script and language, all of which are our own texts. */
export function layout(): Layout {
  const known = new Map<string | undefined, Map<string, readonly string[]>>()

  function framesOf(script: string | undefined): Map<string, readonly string[]> {
    const frames = known.get(script) ?? new Map()
    known.set(script, frames)
    return frames
  }

  return ({ title, body, script, language }, nonce) => {
    const frames = framesOf(script)
    const name = `${language.tag} ${title}`
    const frame = frames.get(name) ?? frameOf(title, script, language)
    frames.set(name, frame)
    const [start = '', beforeBody = '', afterBody = '', end = ''] = frame
    const whole = `${start}${nonce}${beforeBody}${String(body)}${afterBody}`
    return script === undefined ? whole : `${whole}${nonce}${end}`
  }
}

/** Style and script are our own constant texts. Everything else is escaped. */
function frameOf(title: string, script: string | undefined, { tag }: Language): readonly string[] {
  const scripted = script === undefined ? '' : html`<script nonce="${PLACE}">${html.raw`${script}`}</script>`
  const whole = html`<!doctype html>
<html lang="${tag}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${inAscii(html`${title}`)}</title>
<link rel="icon" href="data:,">
<style nonce="${PLACE}">${STYLE}</style>
</head>
<body>
<main>
${PLACE}
</main>
${scripted}
</body>
</html>
`
  return String(whole).split(PLACE).map(inOnePiece)
}

/**
 * The only stylesheet. Colours have at least the contrast of WCAG 2.2 AA, in light and in dark mode. Room is reserved for errors
 * and for the brand, and no element's place depends on a later one, so nothing moves when something appears late. The order
 * number, last in its list, is so small that the 26 characters of a generated one fit in a line of a phone.
 */
const STYLE = html.raw`
:root{color-scheme:light dark;--page:#f3f5f8;--card:#fff;--ink:#18212f;--soft:#566274;--line:#8a94a3;--rule:#e3e7ed;--main:#1b5fd0;--main-ink:#fff;--bad:#b3191f;--bad-page:#fdf1f1;--tag:#e8eefa;--shade:0 1px 2px #1018281a,0 8px 24px #10182814}
@media(prefers-color-scheme:dark){:root{--page:#10141b;--card:#1a202a;--ink:#eef1f6;--soft:#a8b3c4;--line:#77839a;--rule:#2c3543;--main:#7db1ff;--main-ink:#0b1524;--bad:#ff9d9d;--bad-page:#321c20;--tag:#273349;--shade:none}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;background:var(--page);color:var(--ink);font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;overflow-wrap:break-word}
main{max-width:28rem;margin:0 auto;padding:1.5rem;background:var(--card);min-height:100vh;min-height:100svh}
@media(min-width:34rem){main{margin:3.5rem auto;padding:2rem;min-height:0;border-radius:.875rem;box-shadow:var(--shade)}}
h1{margin:0 0 .25rem;font-size:1.375rem;line-height:1.3;letter-spacing:-.01em}
p{margin:0 0 1rem}
.soft,.hint{color:var(--soft)}
.order{margin:0 0 1.5rem;padding:0 0 1.25rem;border-bottom:1px solid var(--rule)}
.order dl{display:grid;grid-template-columns:fit-content(50%) minmax(0,1fr);gap:.25rem .5rem;align-items:baseline;margin:1rem 0 0;font-size:.9375rem}
.order dt{color:var(--soft)}
.order dd{margin:0;text-align:end}
.order dd:last-child{font-size:.75rem}
.total{margin:.5rem 0 0;font-size:2rem;font-weight:650;line-height:1.2;letter-spacing:-.02em;font-variant-numeric:tabular-nums}
.field{margin:0 0 .25rem}
label,legend{display:block;padding:0;font-weight:600;font-size:.9375rem}
.hint{display:block;margin-top:.25rem;font-size:.8125rem;line-height:1.35}
input:not([type=radio]){display:block;width:100%;min-height:3rem;margin:.3rem 0 0;padding:.5rem .75rem;border:1px solid var(--line);border-radius:.5rem;background:var(--card);color:inherit;font:inherit;font-variant-numeric:tabular-nums}
input:focus-visible,button:focus-visible,a:focus-visible,.summary:focus-visible{outline:3px solid var(--main);outline-offset:2px}
input[aria-invalid=true]{border-color:var(--bad);box-shadow:inset 0 0 0 1px var(--bad)}
.error{display:block;min-height:1.75rem;padding-top:.25rem;color:var(--bad);font-size:.875rem;line-height:1.25rem}
.pair{display:grid;grid-template-columns:1fr 1fr;gap:0 1rem;align-items:start}
.pair .error{min-height:3rem}
@media(min-width:34rem){.pair .error{min-height:1.75rem}}
@media(max-width:22rem){.pair{grid-template-columns:1fr}}
.number{position:relative;display:block}
.number input:not([type=radio]){padding-inline-end:6.25rem}
.brand{position:absolute;inset-inline-end:.5rem;top:50%;transform:translateY(-50%);padding:.125rem .5rem;border-radius:.375rem;background:var(--tag);font-size:.75rem;font-weight:650;letter-spacing:.02em}
.brand:empty{visibility:hidden}
@media(max-width:22rem){.number input:not([type=radio]){padding-inline-end:.75rem}.brand{inset-inline-end:0;top:-1.125rem}}
fieldset{min-width:0;margin:0;padding:0;border:0}
.choice{display:flex;align-items:center;gap:.75rem;min-height:3rem;margin:.5rem 0 0;padding:.5rem .75rem;border:1px solid var(--line);border-radius:.5rem;font-weight:400;font-size:1rem}
.choice input{flex:none;width:1.25rem;height:1.25rem;margin:0;accent-color:var(--main)}
.choice:has(:checked){border-color:var(--main);box-shadow:inset 0 0 0 1px var(--main)}
.way{margin:0 0 .5rem}
@supports selector(:has(*)){.way{display:none}
form:has([value=card]:checked) .card,form:has([value=account]:checked) .account,form:has([value=wallet]:checked) .wallet,form:has([value=phone]:checked) .phone{display:block}}
button,.button{display:block;width:100%;min-height:3.25rem;margin:.75rem 0 1rem;padding:.75rem 1rem;border:0;border-radius:.5rem;background:var(--main);color:var(--main-ink);font:inherit;font-weight:650;font-size:1.0625rem;text-align:center;text-decoration:none;cursor:pointer}
button.second{border:1px solid var(--line);background:none;color:var(--main)}
button:hover,.button:hover{filter:brightness(1.08)}
button[aria-disabled=true]{opacity:.65;cursor:default}
.small{margin:0;font-size:.8125rem;line-height:1.45;color:var(--soft)}
.summary{margin:0 0 1.25rem;padding:.875rem 1rem;border:1px solid var(--bad);border-radius:.5rem;background:var(--bad-page)}
.summary h2{margin:0 0 .25rem;font-size:1rem}
.summary ul{margin:0 0 .25rem;padding-inline-start:1.25rem}
.summary p{margin:0;font-size:.875rem}
.summary a{color:var(--bad)}
.spinner{width:2.5rem;height:2.5rem;margin:0 0 1.25rem;border:4px solid var(--rule);border-top-color:var(--main);border-radius:50%;animation:turn 1s linear infinite}
@keyframes turn{to{transform:rotate(1turn)}}
@media(prefers-reduced-motion:reduce){.spinner{animation:none}}
@media(forced-colors:active){.choice:has(:checked){outline:2px solid}}
`

/** Inputs that a form sends and nobody types. */
export function hiddenInputs(fields: ReadonlyArray<readonly [name: string, value: string]>): SafeHtml[] {
  return fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)
}

interface SelfSendingForm {
  readonly action: string
  readonly fields: Readonly<Record<string, string>>
  /** For browsers without script. Absent: there is no button, since only a script can send the form. */
  readonly button?: { readonly label: string; readonly noScript: string }
  /** The name of the frame that shows the answer. Default: the window. */
  readonly target?: string
  /** Default: at once. */
  readonly afterMs?: number
}

/** A form of hidden fields that {@link SEND_FORMS} posts. */
export function selfSendingForm({ action, fields, button, target, afterMs = 0 }: SelfSendingForm): SafeHtml {
  const inputs = hiddenInputs(Object.entries(fields))
  const to = target === undefined ? '' : html` target="${target}"`
  const shown = button && html`<noscript><p>${button.noScript}</p></noscript><button>${button.label}</button>`
  return html`<form method="post" action="${action}"${to} data-after="${afterMs}">${inputs}${shown}</form>`
}

/** Posts each form after its delay. */
export const SEND_FORMS = `for(const form of document.querySelectorAll('form[data-after]'))setTimeout(()=>form.submit(),Number(form.dataset.after))`

/**
 * The schemes to allow for an address, as sources of a Content-Security-Policy. Not its host: browsers apply the policy to
 * redirects of the answer too, which may lead to another host.
 *
 * @see {@link https://www.w3.org/TR/CSP3/#directive-form-action}
 */
export function anyHost(address: string): readonly string[] {
  return /^https:/i.test(address) ? ['https:'] : ['http:', 'https:']
}

/** Pages that only say that it did not work: nothing about the inside, and nothing of what was sent. */
const FAILURES = {
  'not-found': [404, 'titleOfNotFound', 'notFound'],
  unreadable: [400, 'titleOfBadRequest', 'badRequest'],
  method: [405, 'titleOfBadRequest', 'badRequest'],
  failure: [500, 'titleOfFailure', 'failure'],
  'tries-per-card': [429, 'titleOfTriedTooOften', 'triedTooOften'],
  'tries-per-address': [429, 'titleOfAddressTriedTooOften', 'addressTriedTooOften'],
  busy: [503, 'titleOfBusy', 'busy'],
} as const satisfies Record<string, readonly [status: number, title: keyof Texts, text: keyof Texts]>

export function failurePage(
  failure: keyof typeof FAILURES,
  language: Language,
  headers: Readonly<Record<string, string>> = {},
): Page {
  const [status, title, text] = FAILURES[failure]
  const { texts } = language
  return {
    kind: 'page',
    status,
    language,
    title: texts[title],
    body: html`<h1>${texts[title]}</h1><p>${texts[text]}</p>`,
    headers,
  }
}
