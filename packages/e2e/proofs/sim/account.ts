import type { Intent, JournalOutcome } from '@tallystick/client/ports'
import { toMinorUnits } from '@tallystick/core'
import type { Effects } from './mortal.ts'

/** What the gateway's status shows of an order. */
interface Shown {
  readonly status: string
  readonly amount?: string | undefined
}

/** Whether the merchant's own account of an order, by all outcomes of the handler, is what the gateway shows of it. */
export function judgeAccount(opening: Intent, changes: readonly Intent[], shown: Shown, effects: Effects) {
  const { businessKey, clientOrderId, orderId, amounts } = opening
  const told = effects.filter((effect) => effect.clientOrderId === clientOrderId)
  const findings: string[] = []
  if (told.some(({ number }, index) => number !== index + 1)) findings.push(`${businessKey}: told out of order`)
  // A change in review, or settled there other than by its status, is not in the account.
  const isOpen = changes.some((change) => change.orderId === orderId && change.reviewReason !== undefined)
  if (isOpen) return findings
  const kept = shown.amount === undefined ? undefined : toMinorUnits(shown.amount)
  const last = told.findLast((outcome) => outcome.kept !== undefined)?.kept
  if (last !== kept)
    findings.push(`${businessKey}: ${last} is kept by what was told last, and the gateway shows ${kept}`)
  const opened = opening.operation === 'payoutCheck' ? 0n : BigInt(amounts[0] ?? 0)
  const left = String(told.reduce((sum, outcome) => sum + changeBy(outcome), opened))
  if (left !== kept)
    findings.push(`${businessKey}: ${left} is left of all that was told, and the gateway shows ${kept}`)
  return findings
}

/** By how much an outcome has changed the amount kept. */
function changeBy({ kind, operation, status, amount = '0' }: JournalOutcome): bigint {
  if (kind === 'notice') return -BigInt(amount)
  if (status !== 'approved') return 0n
  if (operation === 'payoutPay') return BigInt(amount)
  return operation === 'return' || operation === 'void' ? -BigInt(amount) : 0n
}
