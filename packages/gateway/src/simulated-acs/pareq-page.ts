import type { Verdict } from '../acquirer/authentication-result.ts'
import { paResOf } from '../acquirer/pareq-messages.ts'
import type { SentFields } from '../pages/form/read-fields.ts'
import type { Page } from '../pages/page.ts'
import { codePage, hasFailed, takeCode } from './code-page.ts'
import { isBrowserAddress, wayBack } from './return-form.ts'
import { unreadable, type Visit, visit } from './session.ts'

/** The challenge of a 3-D Secure 1.0.2 payment. The browser brings PaReq, MD and TermUrl (gaps part 8). */
export const askPaReq = visit('pareq', (visited) => {
  const kept = returnFields(visited.fields)
  if (visited.fields.get('PaReq') !== visited.awaits.paReq || kept === undefined) {
    return unreadable(visited)
  }
  return hasFailed(visited.order) ? end(visited, kept, 'failed') : codePage(visited, { kept })
})

/** Takes the customer's answer, and sends the PaRes to the TermUrl. */
export const answerPaReq = visit('pareq', async (visited) => {
  const kept = returnFields(visited.fields)
  if (kept === undefined) return unreadable(visited)
  const answer = await takeCode(visited)
  if (answer === undefined) return undefined
  if ('verdict' in answer) return end(visited, kept, answer.verdict)
  return codePage({ ...visited, order: answer.order }, { kept, issue: answer.issue })
})

type ReturnFields = Readonly<Record<'MD' | 'TermUrl', string>>

function end(visited: Visit<'pareq'>, { MD, TermUrl }: ReturnFields, verdict: Verdict): Page {
  return wayBack(visited, TermUrl, { PaRes: paResOf(visited.transaction, verdict), MD })
}

/** Hidden fields of the code page carry them, so they are read and checked again with the answer. */
function returnFields(fields: SentFields): ReturnFields | undefined {
  const TermUrl = fields.get('TermUrl') ?? ''
  return isBrowserAddress(TermUrl) ? { MD: fields.get('MD') ?? '', TermUrl } : undefined
}
