import { cresOf, inBase64url, jsonInBase64, paResOf, type SimulatedResult } from '../acquirer/simulated-messages.ts'
import type { SentFields } from '../pages/form/fields.ts'
import type { Page } from '../pages/layout.ts'
import { languageOf, type PageRoute } from '../pages/page-route.ts'
import { codePage, hasFailed, takeCode } from './code-page.ts'
import { acsReturnForm, deadEnd, inSession, isBrowserAddress, type Session, unreadable } from './session.ts'

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
