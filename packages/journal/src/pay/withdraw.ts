import type { PaymentClient } from '@tallystick/client'
import type { Intent, Observation } from '@tallystick/client/ports'
import type { JournalParts } from '../context.ts'
import { isAtCheckedStage, kept, moved, withEvidence } from '../intents/states.ts'
import { givenAway } from './intent.ts'
import { FREE } from './settle.ts'

/**
 * Ends an attempt that never left. `undefined`: another process is sending it.
 *
 * @param toCheck intents whose status is checked at once
 */
export async function withdraw<Transaction>(
  intent: Intent,
  seen: string,
  { store, clock, client }: Pick<JournalParts<Transaction>, 'store' | 'clock' | 'client'>,
  toCheck: readonly Intent[] = [],
) {
  const now = clock.now()
  const ended = withdrawn(intent, seen, now, client)
  const woken = toCheck.map((one) => kept(one, { wokenAt: now, nextCheckAt: now }))
  const written = await store.update(...[ended, ...woken].map((one) => ({ intent: one, outcomes: [] })))
  return written ? ended : undefined
}

/** An attempt that never left as it is written when it ends. */
export function withdrawn(intent: Intent, seen: string, now: number, client: PaymentClient): Intent {
  const evidence = withEvidence(intent, now, seen)
  const changes = { ...FREE, rejection: seen, evidence, nextCheckAt: undefined, ...givenAway(intent, { client }) }
  return moved(intent, 'REJECTED', changes)
}

/**
 * The money of a check leaves once, whatever a gateway would answer to a second request. So the second step of a payout that was
 * paid is withdrawn.
 */
type Parts<Transaction> = Pick<JournalParts<Transaction>, 'store' | 'clock' | 'client'>

/** Withdraws it if it was paid under another business key. `undefined`: it was not. */
export async function withdrawIfPaid<Transaction>(
  intent: Intent,
  parts: Parts<Transaction>,
): Promise<Intent | undefined> {
  if (intent.operation !== 'payoutPay') return undefined
  const ofId = await parts.store.ofOrder(intent.clientOrderId)
  const paid = ofId.find(
    ({ operation, orderId, state, status }) =>
      operation === 'payoutPay' && orderId === intent.orderId && state === 'FINAL' && status === 'approved',
  )
  if (paid === undefined) return undefined
  const seen = `withdrawn: the payout was paid before, as ${paid.businessKey}`
  return await withdraw({ ...intent, isPaidBefore: true }, seen, parts)
}

const SHOWN_AS_PAID = 'withdrawn: the status of the order shows that the payout was paid before'

/**
 * Withdraws it if the status of the order shows it as paid: by somebody else, or by an attempt that was presumed absent and
 * arrived late. A check is `processing` until it is paid (gaps part 13). `undefined`: it was not.
 *
 * @param checks the check of the payout: its next status check tells the merchant, who may know of no payment. One that is not
 * final yet is asked for anyway
 */
export async function withdrawIfShownAsPaid<Transaction>(
  intent: Intent,
  shown: Observation,
  checks: readonly Intent[],
  parts: Parts<Transaction>,
): Promise<Intent | undefined> {
  const isPaid = shown.status === 'approved' && !isAtCheckedStage(shown)
  if (intent.operation !== 'payoutPay' || !isPaid) return undefined
  const final = checks.filter(({ state }) => state === 'FINAL')
  return await withdraw({ ...intent, isPaidBefore: true }, SHOWN_AS_PAID, parts, final)
}
