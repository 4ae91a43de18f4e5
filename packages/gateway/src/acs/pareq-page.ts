import type { SentFields } from '../pages/read-fields.ts'
import { codePage, readCode } from './code-page.ts'
import { paResOf } from './pareq-messages.ts'
import { unreadable, type Visit, visit } from './visit.ts'
import { isBrowserAddress, wayBack } from './way-back.ts'

/** The challenge of a 3-D Secure 1.0.2 payment: PaReq, MD and TermUrl are what the browser brings (gaps part 8). */
export const askPaReq = visit('pareq', (visited) => {
  const kept = returnFields(visited.fields)
  if (visited.fields.get('PaReq') !== visited.awaits.paReq || kept === undefined) {
    return unreadable(visited)
  }
  return codePage(visited, { action: answerUrl(visited), kept })
})

/** What the customer said; the PaRes goes to the TermUrl. */
export const answerPaReq = visit('pareq', (visited) => {
  const kept = returnFields(visited.fields)
  if (kept === undefined) return unreadable(visited)
  const answer = readCode(visited.fields)
  if (!('verdict' in answer)) return codePage(visited, { action: answerUrl(visited), kept, refused: answer })
  const { MD, TermUrl } = kept
  return wayBack(visited, TermUrl, { PaRes: paResOf(visited.transaction, answer.verdict), MD })
})

/** They go through the page of the code, and are read anew from it. */
function returnFields(fields: SentFields) {
  const TermUrl = fields.get('TermUrl') ?? ''
  return isBrowserAddress(TermUrl) ? { MD: fields.get('MD') ?? '', TermUrl } : undefined
}

function answerUrl({ context }: Visit<'pareq'>): string {
  return `${context.profile.baseUrl}/acs/pareq/${context.token}/answer`
}
