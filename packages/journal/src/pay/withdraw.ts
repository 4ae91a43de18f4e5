import type { Intent, PaymentClient } from '@tallystick/client'
import { withEvidence } from '../intents/evidence.ts'
import { kept, moved } from '../intents/states.ts'
import type { JournalParts } from '../options.ts'
import { givenAway } from './order-ids.ts'
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
