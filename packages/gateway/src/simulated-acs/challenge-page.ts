import type { Verdict } from '../acquirer/authentication-result.ts'
import { cresOf } from '../acquirer/challenge-messages.ts'
import { languageOf } from '../pages/language-of.ts'
import type { Page } from '../pages/page.ts'
import { codePage, hasFailed, takeCode } from './code-page.ts'
import { deadEnd, isBrowserAddress, wayBack } from './return-form.ts'
import { unreadable, type Visit, visit } from './session.ts'

/** EMV 3-D Secure: at most 1024 characters of base64url. */
const SESSION_DATA = /^[\w-]{0,1024}={0,2}$/

/** The challenge of a 3DS 2 payment. The browser brings a CReq (gaps part 8). */
export const askChallenge = visit('challenge', (visited) => {
  const { awaits, fields } = visited
  const threeDSSessionData = fields.get('threeDSSessionData') ?? ''
  const isKnown = withoutPadding(fields.get('creq') ?? '') === awaits.creq
  if (!isKnown || !SESSION_DATA.test(threeDSSessionData)) return unreadable(visited)
  return hasFailed(visited.order) ? end(visited, 'failed') : codePage(visited, { kept: { threeDSSessionData } })
})

/** Takes the customer's answer, and sends the CRes to the notification URL. */
export const answerChallenge = visit('challenge', async (visited) => {
  const answer = await takeCode(visited)
  if (answer === undefined) return undefined
  if ('verdict' in answer) return end(visited, answer.verdict)
  const kept = { threeDSSessionData: visited.fields.get('threeDSSessionData') ?? '' }
  return codePage({ ...visited, order: answer.order }, { kept, issue: answer.issue })
})

function end(visited: Visit<'challenge'>, verdict: Verdict): Page {
  const address = notificationUrl(visited)
  if (address === undefined || !isBrowserAddress(address)) return noWayBack(visited)
  const threeDSSessionData = visited.fields.get('threeDSSessionData') ?? ''
  return wayBack(visited, address, { cres: cresOf(visited.transaction, verdict), threeDSSessionData })
}

/** The gateway's own page, or the merchant's return address if the merchant takes the customer through 3DS. */
function notificationUrl({ order, context }: Visit<'challenge'>): string | undefined {
  const { pages, addresses } = order.details
  return pages?.threeDs === 'server'
    ? addresses.redirectUrl
    : `${context.profile.baseUrl}/3ds/challenge/${context.token}`
}

function noWayBack({ order, context }: Visit<'challenge'>): Page {
  return deadEnd({ order, context }, languageOf(order, context).texts.acsNoWayBack)
}

function withoutPadding(text: string): string {
  return text.replace(/={1,2}$/, '')
}
