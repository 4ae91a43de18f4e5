import { html, type SafeHtml } from '@remix-run/html-template'
import { cresOf, inBase64url, jsonInBase64, paResOf, type SimulatedResult } from '../acquirer/simulated-messages.ts'
import type { FaultName } from '../faults/faults.ts'
import type { AuthenticationStep, StoredOrder } from '../orders/order.ts'
import type { SentFields } from '../pages/form/fields.ts'
import { hiddenInputs, type Page, SEND_FORMS, selfSendingForm } from '../pages/layout.ts'
import { amountOf, summaryOf } from '../pages/order-summary.ts'
import { languageOf, type PageRoute } from '../pages/page-route.ts'
import { fill, type Texts } from '../texts/en.ts'
import { deadEnd, FRAMED_BY_ANY, inSession, type Session, unreadable } from './session.ts'

/** Whether the browser may be sent to this address with the server's message: http or https, without user name or password. */
function isBrowserAddress(address: string): boolean {
  const url = URL.parse(address)
  return (url?.protocol === 'https:' || url?.protocol === 'http:') && url.username === '' && url.password === ''
}

/** The fault of a sandbox by which the customer does not come back from a step. */
const NOBODY_COMES_BACK = {
  method: 'method-time-out',
  challenge: 'three-ds-abandoned',
  pareq: 'three-ds-abandoned',
} as const satisfies Readonly<Record<AuthenticationStep, FaultName>>

/** Takes the server's message back to the requestor: by script, or by a button if the browser runs none. */
function acsReturnForm(
  { order, context, awaits }: Pick<Session<AuthenticationStep>, 'order' | 'context' | 'awaits'>,
  address: string,
  fields: Readonly<Record<string, string>>,
): Page {
  const language = languageOf(order, context)
  const { texts } = language
  if (context.service.faults.of(order).has(NOBODY_COMES_BACK[awaits.step])) {
    return deadEnd({ order, context }, texts.acsNobodyComesBack)
  }
  return {
    kind: 'page',
    language,
    title: texts.titleOfAcs,
    body: html`<h1>${texts.titleOfAcs}</h1>
<p role="status">${texts.acsDone}</p>
${selfSendingForm({ action: address, fields, button: { label: texts.continue, noScript: texts.noScript } })}`,
    // By scheme: browsers apply the policy to redirects of the answer too, which may lead to another host.
    formTargets: ['http:', 'https:'],
    framedBy: FRAMED_BY_ANY,
    script: SEND_FORMS,
  }
}

/** Gaps part 10. */
const CODE = 'hint'

/** How many codes the customer may type. */
const MOST_CODES = 3

type OfCode = Pick<Session<AuthenticationStep>, 'order' | 'context' | 'awaits'>

/** The customer's verdict, or the page again with what was wrong and the order as it is now. */
type CodeAnswer = { readonly verdict: SimulatedResult } | { readonly order: StoredOrder; readonly issue: keyof Texts }

/** Whether the customer has typed too many wrong codes: then no code is right any more. */
function hasFailed({ details }: StoredOrder): boolean {
  return wrongCodesOf(details) >= MOST_CODES
}

/**
 * Takes a code. Wrong ones are counted in the order, since a page that the browser kept could not tell. A right one is written
 * too: of many codes that are sent at once, each sees those before it. `undefined`: the order has changed meanwhile.
 */
async function takeCode({
  order,
  context,
  fields,
}: Pick<Session<AuthenticationStep>, 'order' | 'context' | 'fields'>): Promise<CodeAnswer | undefined> {
  if (fields.has('cancel')) return { verdict: 'cancelled' }
  if (hasFailed(order)) return { verdict: 'failed' }
  const code = fields.get('code')?.trim().toLowerCase() ?? ''
  if (code === '') return { order, issue: 'acsCodeMissing' }
  const { pages } = order.details
  const wrongCodes = wrongCodesOf(order.details) + (code === CODE ? 0 : 1)
  const details = { ...order.details, pages: pages && { ...pages, wrongCodes } }
  const counted = { ...order, version: order.version + 1, details }
  const { ok } = await context.service.commit({ order: { order: counted, basedOn: order.version } })
  if (!ok) return undefined
  if (code === CODE) return { verdict: 'authenticated' }
  return hasFailed(counted) ? { verdict: 'failed' } : { order: counted, issue: 'acsCodeWrong' }
}

function wrongCodesOf({ pages }: StoredOrder['details']): number {
  return pages?.wrongCodes ?? 0
}

interface CodePage {
  /** Hidden fields that come back with the answer. */
  readonly kept: Readonly<Record<string, string>>
  /** What was wrong with the code. */
  readonly issue?: keyof Texts | undefined
}

/** The page on which the customer confirms the payment, or cancels it. */
function codePage({ order, context, awaits }: OfCode, { kept, issue }: CodePage): Page {
  const language = languageOf(order, context)
  const { texts } = language
  const action = `${context.service.profile.baseUrl}/acs/${awaits.step}/${context.token}/answer`
  const amount = amountOf(order, context, language.tag)
  return {
    kind: 'page',
    ...(issue === undefined ? {} : { status: 422 }),
    language,
    title: issue === undefined ? texts.titleOfAcs : `${texts.errorPrefix}: ${texts.titleOfAcs}`,
    framedBy: FRAMED_BY_ANY,
    body: html`<div class="order">
<h1>${texts.titleOfAcs}</h1>
${amount && html`<p class="total">${amount}</p>`}
${summaryOf(order, texts)}
</div>
<p class="soft">${fill(texts.acsSimulated, { code: CODE })}</p>
<form method="post" action="${action}">
${hiddenInputs(Object.entries(kept))}
${codeField(order, texts, issue)}
<button>${texts.acsConfirm}</button>
<button class="second" name="cancel" value="1" formnovalidate>${texts.acsCancel}</button>
</form>`,
  }
}

function codeField({ details }: StoredOrder, texts: Texts, issue: CodePage['issue']): SafeHtml {
  const told = issue === undefined ? '' : `${texts[issue]}. ${triesLeft(texts, wrongCodesOf(details))}`
  return html`<div class="field">
<label for="code">${texts.acsCode}</label>
<input id="code" name="code" type="text" autocomplete="one-time-code" autocapitalize="none" spellcheck="false" required maxlength="64" aria-describedby="code-error" aria-invalid="${issue !== undefined}"${issue && html` autofocus`}>
<span class="error" id="code-error">${told}</span>
</div>`
}

function triesLeft(texts: Texts, wrong: number): string {
  const left = MOST_CODES - wrong
  return left === 1 ? texts.lastTry : fill(texts.triesLeft, { count: String(left) })
}

/** The method frame of the simulated issuer. It inspects nothing, and reports at once that it is done (gaps part 8). */
const answerMethod = inSession('method', ({ context, order, awaits, fields }) => {
  const { threeDSServerTransID, threeDSMethodNotificationURL: address } = jsonInBase64(
    fields.get('threeDSMethodData') ?? '',
  )
  if (
    threeDSServerTransID !== awaits.threeDsServerTransId ||
    typeof address !== 'string' ||
    !isBrowserAddress(address)
  ) {
    return unreadable({ order, context })
  }
  return acsReturnForm({ order, context, awaits }, address, {
    threeDSMethodData: inBase64url({ threeDSServerTransID }),
  })
})

/** EMV 3-D Secure: at most 1024 characters of base64url. */
const SESSION_DATA = /^[\w-]{0,1024}={0,2}$/

/** The challenge of a 3DS 2 payment. The browser brings a CReq (gaps part 8). */
const askChallenge = inSession('challenge', (visited) => {
  const { awaits, fields } = visited
  const threeDSSessionData = fields.get('threeDSSessionData') ?? ''
  const isKnown = withoutPadding(fields.get('creq') ?? '') === awaits.creq
  if (!isKnown || !SESSION_DATA.test(threeDSSessionData)) return unreadable(visited)
  return hasFailed(visited.order) ? end(visited, 'failed') : codePage(visited, { kept: { threeDSSessionData } })
})

/** Takes the customer's answer, and sends the CRes to the notification URL. */
const answerChallenge = inSession('challenge', async (visited) => {
  const answer = await takeCode(visited)
  if (answer === undefined) return undefined
  if ('verdict' in answer) return end(visited, answer.verdict)
  const kept = { threeDSSessionData: visited.fields.get('threeDSSessionData') ?? '' }
  return codePage({ ...visited, order: answer.order }, { kept, issue: answer.issue })
})

function end(visited: Session<'challenge'>, verdict: SimulatedResult): Page {
  const address = notificationUrl(visited)
  if (address === undefined || !isBrowserAddress(address)) return noWayBack(visited)
  const threeDSSessionData = visited.fields.get('threeDSSessionData') ?? ''
  return acsReturnForm(visited, address, { cres: cresOf(visited.transaction, verdict), threeDSSessionData })
}

/** The gateway's own page, or the merchant's return address if the merchant takes the customer through 3DS. */
function notificationUrl({ order, context }: Session<'challenge'>): string | undefined {
  const { pages, addresses } = order.details
  return pages?.threeDs === 'server'
    ? addresses.redirectUrl
    : `${context.service.profile.baseUrl}/3ds/challenge/${context.token}`
}

function noWayBack({ order, context }: Session<'challenge'>): Page {
  return deadEnd({ order, context }, languageOf(order, context).texts.acsNoWayBack)
}

function withoutPadding(text: string): string {
  return text.replace(/={1,2}$/, '')
}

/** The challenge of a 3-D Secure 1.0.2 payment. The browser brings PaReq, MD and TermUrl (gaps part 8). */
const askPaReq = inSession('pareq', (visited) => {
  const kept = returnFields(visited.fields)
  if (visited.fields.get('PaReq') !== visited.awaits.paReq || kept === undefined) {
    return unreadable(visited)
  }
  return hasFailed(visited.order) ? endPaRes(visited, kept, 'failed') : codePage(visited, { kept })
})

/** Takes the customer's answer, and sends the PaRes to the TermUrl. */
const answerPaReq = inSession('pareq', async (visited) => {
  const kept = returnFields(visited.fields)
  if (kept === undefined) return unreadable(visited)
  const answer = await takeCode(visited)
  if (answer === undefined) return undefined
  if ('verdict' in answer) return endPaRes(visited, kept, answer.verdict)
  return codePage({ ...visited, order: answer.order }, { kept, issue: answer.issue })
})

type ReturnFields = Readonly<Record<'MD' | 'TermUrl', string>>

function endPaRes(visited: Session<'pareq'>, { MD, TermUrl }: ReturnFields, verdict: SimulatedResult): Page {
  return acsReturnForm(visited, TermUrl, { PaRes: paResOf(visited.transaction, verdict), MD })
}

/** Hidden fields of the code page carry them, so they are read and checked again with the answer. */
function returnFields(fields: SentFields): ReturnFields | undefined {
  const TermUrl = fields.get('TermUrl') ?? ''
  return isBrowserAddress(TermUrl) ? { MD: fields.get('MD') ?? '', TermUrl } : undefined
}

/** The simulated access control server: what an issuer would serve. It exists only if the acquirer is the simulator. */
export const acsRoutes: readonly PageRoute[] = [
  { method: 'POST', path: '/acs/method/{token}', handle: answerMethod },
  { method: 'POST', path: '/acs/challenge/{token}', handle: askChallenge },
  { method: 'POST', path: '/acs/challenge/{token}/answer', handle: answerChallenge },
  { method: 'POST', path: '/acs/pareq/{token}', handle: askPaReq },
  { method: 'POST', path: '/acs/pareq/{token}/answer', handle: answerPaReq },
]
