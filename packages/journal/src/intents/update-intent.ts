import type { Intent, IntentChange, JournalStore } from '@tallystick/client'

/** How often other processes may be faster. Each time one of them makes progress. */
const MOST_TRIES = 100

/**
 * Writes what `decide` makes of the newest version of an intent, and starts again if another process was faster. `undefined`:
 * there is nothing to write.
 */
export async function updateIntent<Change extends readonly IntentChange[] | undefined>(
  store: Pick<JournalStore, 'find' | 'update'>,
  intentId: string,
  decide: (intent: Intent) => Change | Promise<Change>,
): Promise<Change> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const intent = await newestOf(store, intentId)
    const change = await decide(intent)
    if (change === undefined || (await store.update(...change))) return change
  }
  throw new Error(`Other processes keep changing the intent ${intentId}`)
}

/** An intent as the store has it now. */
export async function newestOf(store: Pick<JournalStore, 'find'>, intentId: string): Promise<Intent> {
  const intent = await store.find(intentId)
  if (intent === undefined) throw new Error(`There is no intent ${intentId}`)
  return intent
}
