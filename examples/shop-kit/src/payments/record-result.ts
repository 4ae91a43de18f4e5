import type { Intent } from '@tallystick/client'
import type { JournaledOperation, PayResult } from '@tallystick/journal'
import type { Till } from './till.ts'

/** What is known after a payment was asked for. Its outcome comes to the handler; a refusal is known now. */
export async function recordResult(till: Till, name: string, result: PayResult<JournaledOperation>): Promise<void> {
  const { clientOrderId, orderId, redirectUrl: payUrl } = result.intent
  await till.database.write((rows) => {
    const operation = rows.operation(name)
    if (operation === undefined) return
    const isAnother = result.outcome === 'conflict'
    if (!isAnother) rows.nameOrder(operation.shopOrder, { clientOrderId, orderId, payUrl })
    const refusal = refusalOf(result)
    if (refusal !== undefined) {
      rows.endOperation({ ...operation, status: 'error', statusAt: till.now(), note: refusal })
    }
  })
}

/** Why nothing happened; `undefined` where something did, or may have. */
export function refusalOf(result: PayResult<JournaledOperation>): string | undefined {
  switch (result.outcome) {
    case 'rejected':
    case 'notSent':
      return result.error?.message ?? result.intent.rejection ?? 'It was never sent.'
    case 'conflict':
      return 'Another change of this order was under way.'
    default:
      return undefined
  }
}

/**
 * Operations of an order that were refused after the page was answered. The handler hears of outcomes alone, so the journal
 * is asked.
 */
export async function recordRefusals(till: Till, shopOrder: string): Promise<void> {
  await endOpenOperations(till, refusedSince, shopOrder)
}

/** At the start: operations that were never sent because the process ended before. Nobody is about to send them any more. */
export async function recordNeverSent(till: Till): Promise<void> {
  await endOpenOperations(till, neverSent)
}

/** Why an operation came to nothing, by its last attempt; `undefined` where it did not, or may not have. */
type Nothing = (intent: Intent | undefined) => string | undefined

async function endOpenOperations(till: Till, nothing: Nothing, shopOrder?: string): Promise<void> {
  const { database, journal, now } = till
  for (const { name } of database.rows.openOperations(shopOrder)) {
    const note = nothing((await journal.attempts(name)).at(-1))
    if (note === undefined) continue
    await database.write((rows) => {
      const operation = rows.operation(name)
      // Its outcome may have come meanwhile.
      if (operation?.status === 'sent') rows.endOperation({ ...operation, status: 'error', statusAt: now(), note })
    })
  }
}

/** A refusal counts once the status has confirmed it: then there is no next check. */
function refusedSince(intent: Intent | undefined): string | undefined {
  const isCertain = intent?.state === 'REJECTED' && intent.nextCheckAt === undefined
  return isCertain ? (intent.rejection ?? 'The gateway refused it.') : undefined
}

function neverSent(intent: Intent | undefined): string | undefined {
  const { state = 'PREPARED' } = intent ?? {}
  return state === 'PREPARED' || state === 'NOT_SENT' ? 'It was never sent.' : undefined
}
