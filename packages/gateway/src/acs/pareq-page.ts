import type { SentFields } from '../pages/read-fields.ts'
import { codePage, readCode } from './code-page.ts'
import { paResOf } from './pareq-messages.ts'
import { unreadable, visit } from './visit.ts'
import { isBrowserAddress, wayBack } from './way-back.ts'

/** The challenge of a 3-D Secure 1.0.2 payment. The browser brings PaReq, MD and TermUrl (gaps part 8). */
export const askPaReq = visit('pareq', (visited) => {
  const kept = returnFields(visited.fields)
  if (visited.fields.get('PaReq') !== visited.awaits.paReq || kept === undefined) {
    return unreadable(visited)
  }
  return codePage(visited, { kept })
})

/** Takes the customer's answer, and sends the PaRes to the TermUrl. */
export const answerPaReq = visit('pareq', (visited) => {
  const kept = returnFields(visited.fields)
  if (kept === undefined) return unreadable(visited)
  const answer = readCode(visited.fields)
  if (!('verdict' in answer)) return codePage(visited, { kept, refused: answer })
  const { MD, TermUrl } = kept
  return wayBack(visited, TermUrl, { PaRes: paResOf(visited.transaction, answer.verdict), MD })
})

/** Hidden fields of the code page carry them, so they are read and checked again with the answer. */
function returnFields(fields: SentFields) {
  const TermUrl = fields.get('TermUrl') ?? ''
  return isBrowserAddress(TermUrl) ? { MD: fields.get('MD') ?? '', TermUrl } : undefined
}
