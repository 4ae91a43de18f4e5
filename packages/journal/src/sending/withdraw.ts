import type { Intent } from '@tallystick/client'
import { withEvidence } from '../evidence.ts'
import type { JournalParts } from '../options.ts'
import { moved } from '../states.ts'
import { FREE } from './settle.ts'

/** Ends an attempt that never left. `undefined`: another process is sending it. */
export async function withdraw<Transaction>(
  intent: Intent,
  seen: string,
  { store, clock }: Pick<JournalParts<Transaction>, 'store' | 'clock'>,
) {
  const evidence = withEvidence(intent, clock.now(), seen)
  const changes = { ...FREE, rejection: seen, evidence, nextCheckAt: undefined }
  const withdrawn = moved(intent, 'REJECTED', changes)
  return (await store.update({ intent: withdrawn, outcomes: [] })) ? withdrawn : undefined
}
