import type { Intent, IntentChange, JournalStore } from '@tallystick/client'

/** How often others may be faster. Each time one of them gets on with its work. */
const MOST_TRIES = 100

/**
 * Writes what follows from the newest version of an intent, and begins again where somebody else was faster. `undefined`:
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
  throw new Error(`The intent ${intentId} is changed by others all the time`)
}

/** An intent as the store has it now. */
export async function newestOf(store: Pick<JournalStore, 'find'>, intentId: string): Promise<Intent> {
  const intent = await store.find(intentId)
  if (intent === undefined) throw new Error(`There is no intent ${intentId}`)
  return intent
}
