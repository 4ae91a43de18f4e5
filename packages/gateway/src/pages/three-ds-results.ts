import { html } from '@remix-run/html-template'
import { authenticate } from '../flow/authenticate.ts'
import { openingOperation } from '../orders/operations.ts'
import type { AuthenticationRequest, AuthenticationStep, StoredOrder } from '../orders/order.ts'
import { threeDsPath } from '../orders/page-paths.ts'
import { failurePage } from './failure-pages.ts'
import { jsonInBase64 } from './json-in-base64.ts'
import { languageAt, languageOf } from './language-of.ts'
import type { Page, PageAnswer, SeeOther } from './page.ts'
import type { PageContext } from './page-route.ts'
import { readFields, type SentFields } from './read-fields.ts'

/**
 * Takes the results of 3DS steps from the customer's browser (gaps part 13). Whatever comes, the browser goes to the page of the
 * order as it is now. A result that the order does not wait for, or a second one, changes nothing.
 */

type Reading = (fields: SentFields, awaits: AuthenticationRequest | undefined) => string | undefined

/** The frame sends `threeDSMethodData`. The page around it reports that it has waited, or had nothing to wait for. */
export async function takeMethodResult(context: PageContext): Promise<PageAnswer> {
  const isFrame = readFields(context.request)?.has('threeDSMethodData') ?? false
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
  const { orderOfPage, request, language } = context
  const fields = readFields(request)
  if (fields === undefined) return failurePage('unreadable', await languageAt(context))
  const order = await orderOfPage()
  if (order === undefined) return failurePage('not-found', language)
  const value = read(fields, openingOperation(order).outcome.awaits)
  if (value !== undefined) await authenticate(orderOfPage, { step, value }, context)
  return lead(order, context)
}

function whereThingsAre(_: StoredOrder, context: PageContext): SeeOther {
  return { kind: 'see-other', to: threeDsPath(context) }
}

/** `N`, or `U` if there was no method URL: what the page itself would send. */
const untaken: Reading = (fields, awaits) => {
  if (awaits?.step !== 'method') return undefined
  const completion = awaits.methodUrl === undefined ? 'U' : 'N'
  return fields.get('threeDSCompInd') === completion ? completion : undefined
}

/** `Y`, if the issuer's message is about this transaction. */
const completedMethod: Reading = (fields, awaits) => {
  if (awaits?.step !== 'method') return undefined
  const { threeDSServerTransID } = jsonInBase64(fields.get('threeDSMethodData') ?? '')
  return threeDSServerTransID === awaits.threeDsServerTransId ? 'Y' : undefined
}

/**
 * The data that went with the CReq or the PaReq has to come back with the answer. Otherwise it is the answer to something else.
 * If the data is empty, some issuers leave it out.
 */
function isBroughtBack(sent: string, brought = ''): boolean {
  return brought === sent
}

const challengeResult: Reading = (fields, awaits) => {
  if (awaits?.step !== 'challenge') return undefined
  return isBroughtBack(awaits.threeDsSessionData, fields.get('threeDSSessionData')) ? fields.get('cres') : undefined
}

const paReqResult: Reading = (fields, awaits) => {
  if (awaits?.step !== 'pareq') return undefined
  return isBroughtBack(awaits.md, fields.get('MD')) ? fields.get('PaRes') : undefined
}

const LEAVE = 'window.parent.location.replace(document.querySelector("a").href)'

/** Takes the window around the frame to the next page. The frame itself has nothing to show. */
function leaveFrame(order: StoredOrder, context: PageContext): Page {
  const language = languageOf(order, context)
  const { texts } = language
  const next = context.profile.baseUrl + threeDsPath(context)
  return {
    kind: 'page',
    language,
    title: texts.titleOfThreeDs,
    body: html`<h1>${texts.titleOfThreeDs}</h1><a class="button" href="${next}">${texts.continue}</a>`,
    framedBy: ["'self'"],
    script: LEAVE,
  }
}
