import type { Intent, JournaledOperation, PayResult } from '@tallystick/journal'
import type { Till } from './till.ts'

/** Records what `pay` returned: the ids, and a refusal. The handler is called with the outcome later. */
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

/** Why nothing happened; `undefined` if something did, or may have. */
export function refusalOf(result: PayResult<JournaledOperation>): string | undefined {
  switch (result.outcome) {
    case 'rejected':
    case 'notSent':
      return result.error?.message ?? result.intent.rejection ?? 'It was never sent.'
    case 'paidBefore':
      return result.intent.rejection
    case 'conflict':
      return 'Another change of this order was under way.'
    default:
      return undefined
  }
}

/**
 * Records operations of an order that the gateway has refused since the page was answered, or that never arrived there. The handler
 * is only called with outcomes, so this asks the journal.
 */
export async function recordRefusals(till: Till, shopOrder: string): Promise<void> {
  await endOpenOperations(till, cameToNothingSince, shopOrder)
}

/** At the start, records operations that were never sent because the process ended first. Nothing will send them now. */
export async function recordNeverSent(till: Till): Promise<void> {
  await endOpenOperations(till, neverSent)
}

/** From the last attempt of an operation: why it came to nothing; `undefined` if it did not, or may not have. */
type Nothing = (intent: Intent | undefined) => string | undefined

async function endOpenOperations(till: Till, nothing: Nothing, shopOrder?: string): Promise<void> {
  const { database, journal, now } = till
  for (const { name } of database.rows.openOperations(shopOrder)) {
    const note = nothing((await journal.attempts(name)).at(-1))
    if (note === undefined) continue
    await database.write((rows) => {
      const operation = rows.operation(name)
      // Its outcome may have arrived in the meantime.
      if (operation?.status === 'sent') rows.endOperation({ ...operation, status: 'error', statusAt: now(), note })
    })
  }
}

/**
 * A refusal counts once a status check has confirmed it: then no further check is planned. A form that never arrived cannot be paid,
 * because nobody has its address. Other operations that are presumed absent may arrive late.
 */
function cameToNothingSince(intent: Intent | undefined): string | undefined {
  if (intent?.state === 'PRESUMED_ABSENT' && intent.operation.endsWith('Form'))
    return 'It never arrived at the gateway.'
  const isCertain = intent?.state === 'REJECTED' && intent.nextCheckAt === undefined
  return isCertain ? (intent.rejection ?? 'The gateway refused it.') : undefined
}

function neverSent(intent: Intent | undefined): string | undefined {
  const { state = 'PREPARED' } = intent ?? {}
  return state === 'PREPARED' || state === 'NOT_SENT' ? 'It was never sent.' : undefined
}
