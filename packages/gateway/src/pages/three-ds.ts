import { html } from '@remix-run/html-template'
import {
  comparableMessage,
  issuerFields,
  issuerMessage,
  parseOpenForm,
  REQUEST_LIMITS,
} from '@tallystick/core/internal'
import { inBase64url, jsonInBase64 } from '../acquirer/simulated-messages.ts'
import { threeDsPath } from '../orders/new-order.ts'
import { openingOperation } from '../orders/operations.ts'
import type {
  AuthenticationRequest,
  AuthenticationRequestOf,
  AuthenticationStep,
  StoredOrder,
} from '../orders/order.ts'
import { authenticate } from '../processing/authenticate.ts'
import { fill, type Texts } from '../texts/en.ts'
import { readFields, type SentFields } from './form/fields.ts'
import {
  anyHost,
  failurePage,
  type Page,
  type PageAnswer,
  SEND_FORMS,
  type SeeOther,
  selfSendingForm,
} from './layout.ts'
import { languageAt, languageOf, type PageContext } from './page-route.ts'

/**
 * Takes the results of 3DS steps from the customer's browser (gaps part 13). Whatever comes, the browser goes to the page of the
 * order as it is now. A result that the order does not wait for, or a second one, changes nothing.
 */

/** The page of the next 3DS step. It continues by script, or by its button if the browser runs none (gaps parts 8 and 13). */
export function threeDsPage(order: StoredOrder, awaits: AuthenticationRequest, context: PageContext): Page {
  switch (awaits.step) {
    case 'method':
      return methodPage(order, awaits, context)
    case 'challenge': {
      const { acsUrl, creq, threeDsSessionData } = awaits
      return bankPage(order, acsUrl, { creq, threeDSSessionData: threeDsSessionData }, context)
    }
    case 'pareq': {
      const { acsUrl, paReq, md } = awaits
      const TermUrl = notificationUrl('pares', context)
      return bankPage(order, acsUrl, { PaReq: paReq, MD: md, TermUrl }, context)
    }
  }
}

/** Where the browser brings the result of a step (gaps part 13). */
function notificationUrl(step: 'method' | 'challenge' | 'pares', { service: { profile }, token }: PageContext): string {
  return `${profile.baseUrl}/3ds/${step}/${token}`
}

/**
 * The method frame and its ten-second rule: if the result has not come by then, it is `N` (interface parts 2 and 8). Without
 * script nothing can be posted into a frame, so the button sends `N` too. Without a method URL there is no frame, and it is `U`.
 */
function methodPage(
  order: StoredOrder,
  { methodUrl, threeDsServerTransId }: AuthenticationRequestOf<'method'>,
  context: PageContext,
): Page {
  const language = languageOf(order, context)
  const { texts } = language
  const seconds = context.service.profile.threeDsMethodWaitSeconds
  const completion = methodUrl === undefined ? { threeDSCompInd: 'U' } : { threeDSCompInd: 'N' }
  const goOn = selfSendingForm({
    action: notificationUrl('method', context),
    fields: completion,
    button: { label: texts.continue, noScript: texts.noScript },
    afterMs: methodUrl === undefined ? 0 : seconds * 1000,
  })
  const frame = methodUrl === undefined ? '' : methodFrame(methodUrl, threeDsServerTransId, texts, context)
  return {
    kind: 'page',
    language,
    title: texts.titleOfThreeDs,
    body: html`<div class="spinner"></div>
<h1>${texts.titleOfThreeDs}</h1>
<p role="status">${fill(texts.methodStep, { seconds: String(seconds) })}</p>
${frame}${goOn}`,
    script: SEND_FORMS,
    ...(methodUrl === undefined ? {} : framing(methodUrl)),
  }
}

function methodFrame(methodUrl: string, threeDSServerTransID: string, texts: Texts, context: PageContext) {
  const data = { threeDSServerTransID, threeDSMethodNotificationURL: notificationUrl('method', context) }
  const fields = { threeDSMethodData: inBase64url(data) }
  const form = selfSendingForm({ action: methodUrl, fields, target: 'method' })
  return html`<iframe name="method" title="${texts.titleOfThreeDs}" hidden></iframe>${form}`
}

/** The frame begins at the issuer, which may redirect it, and ends at the notification address. */
function framing(methodUrl: string): Pick<Page, 'formTargets' | 'frames'> {
  const sources = ["'self'", ...anyHost(methodUrl)]
  return { formTargets: sources, frames: sources }
}

function bankPage(
  order: StoredOrder,
  acsUrl: string,
  fields: Readonly<Record<string, string>>,
  context: PageContext,
): Page {
  const language = languageOf(order, context)
  const { texts } = language
  return {
    kind: 'page',
    language,
    title: texts.titleOfThreeDs,
    body: html`<h1>${texts.titleOfThreeDs}</h1>
<p role="status">${texts.challengeStep}</p>
${selfSendingForm({ action: acsUrl, fields, button: { label: texts.continueToBank, noScript: texts.noScript } })}`,
    formTargets: anyHost(acsUrl),
    script: SEND_FORMS,
  }
}

type Reading = (fields: SentFields, awaits: AuthenticationRequest | undefined) => string | undefined

/** The frame sends `threeDSMethodData`. The page around it reports that it has waited, or had nothing to wait for. */
export async function takeMethodResult(context: PageContext): Promise<PageAnswer> {
  const isFrame = fieldsOf(context)?.has('threedsmethoddata') ?? false
  if (!isFrame) return await takeResult('method', untaken, context)
  return await takeResult('method', completedMethod, context, leaveFrame)
}

export function takeCRes(context: PageContext): Promise<PageAnswer> {
  return takeResult('challenge', challengeResult, context)
}

export function takePaRes(context: PageContext): Promise<PageAnswer> {
  return takeResult('pareq', paReqResult, context)
}

async function takeResult(
  step: AuthenticationStep,
  read: Reading,
  context: PageContext,
  lead: (order: StoredOrder, context: PageContext) => PageAnswer = whereThingsAre,
): Promise<PageAnswer> {
  const { service, orderOfPage, language } = context
  const fields = fieldsOf(context)
  if (fields === undefined) return failurePage('unreadable', await languageAt(context))
  const order = await orderOfPage()
  if (order === undefined) return failurePage('not-found', language)
  const value = read(fields, openingOperation(order).outcome.awaits)
  if (value !== undefined) await authenticate(orderOfPage, { step, value }, { service, commit: service.commit })
  return lead(order, context)
}

function whereThingsAre(_: StoredOrder, context: PageContext): SeeOther {
  return { kind: 'see-other', to: threeDsPath(context) }
}

/** `N`, or `U` if there was no method URL: what the page itself would send. */
const untaken: Reading = (fields, awaits) => {
  if (awaits?.step !== 'method') return undefined
  const completion = awaits.methodUrl === undefined ? 'U' : 'N'
  return fields.get('threedscompind') === completion ? completion : undefined
}

/** `Y`, if the issuer's message is about this transaction. */
const completedMethod: Reading = (fields, awaits) => {
  if (awaits?.step !== 'method') return undefined
  const { threeDSServerTransID } = jsonInBase64(fields.get('threedsmethoddata') ?? '')
  return threeDSServerTransID === awaits.threeDsServerTransId ? 'Y' : undefined
}

/**
 * The data that went with the CReq or the PaReq comes back with the answer. Issuers change it on its way (blank, padded, in another
 * case, cut), and the address says whose order it is: only data that is clearly another's makes
 * it the answer to something else, unless the CRes itself names the transaction.
 */
function isBroughtBack(sent: string, brought = ''): boolean {
  const [own, back] = [comparableMessage(sent), comparableMessage(brought)]
  return isBlank(back) || (back.length >= FEWEST_LEFT ? own.startsWith(back) : back === own)
}

/** @param data as it is compared */
function isBlank(data: string): boolean {
  return data === '' || data === 'null'
}

const FEWEST_LEFT = 16

const challengeResult: Reading = (fields, awaits) => {
  const cRes = fields.get('cres')
  if (awaits?.step !== 'challenge' || !cRes) return undefined
  const { threeDsSessionData: sent } = awaits
  const [of, asked] = [transactionIn(cRes), transactionIn(awaits.creq)]
  const named = TRANSACTION_IDS.filter((id) => of.has(id) && asked.has(id))
  if (named.length > 0 && named.every((id) => of.get(id) === asked.get(id))) return issuerMessage(cRes)
  const data = fields.get('threedssessiondata') ?? ''
  // Without data only the address says whose result it is: too little if an id could have said so, or says otherwise.
  const mayBeOfThis = !isBlank(comparableMessage(data)) || asked.size === 0 || (sent === '' && named.length === 0)
  return mayBeOfThis && isBroughtBack(sent, data) ? issuerMessage(cRes) : undefined
}

const TRANSACTION_IDS = ['acsTransID', 'threeDSServerTransID'] as const

/** The ids by which a message names its transaction. */
function transactionIn(message: string): ReadonlyMap<string, string> {
  const read = jsonInBase64(issuerMessage(message))
  return new Map(
    TRANSACTION_IDS.flatMap((id) => (typeof read[id] === 'string' ? [[id, read[id].toLowerCase()] as const] : [])),
  )
}

const paReqResult: Reading = (fields, awaits) => {
  const paRes = fields.get('pares')
  if (awaits?.step !== 'pareq' || !paRes) return undefined
  return isBroughtBack(awaits.md, fields.get('md')) ? issuerMessage(paRes) : undefined
}

/** Whatever does not decode is kept as it can be. */
function fieldsOf({ request }: PageContext): SentFields | undefined {
  return readFields(request, (body) => issuerFields(parseOpenForm(body, REQUEST_LIMITS, () => false)))
}

const LEAVE = 'window.parent.location.replace(document.querySelector("a").href)'

/** Takes the window around the frame to the next page. The frame itself has nothing to show. */
function leaveFrame(order: StoredOrder, context: PageContext): Page {
  const language = languageOf(order, context)
  const { texts } = language
  const next = context.service.profile.baseUrl + threeDsPath(context)
  return {
    kind: 'page',
    language,
    title: texts.titleOfThreeDs,
    body: html`<h1>${texts.titleOfThreeDs}</h1><a class="button" href="${next}">${texts.continue}</a>`,
    framedBy: ["'self'"],
    script: LEAVE,
  }
}
