import type { JournalStore } from '@tallystick/client'
import { type BusinessKey, keyText } from '../intents/business-key.ts'
import { chargedNothing, isUnsent } from '../intents/states.ts'
import type { PayOptions } from './pay.ts'
import { isUsedUp } from './send.ts'

/**
 * The number of the attempt that a call means. It is read once, before the call waits for others: if it were read again when one
 * of them has opened the next attempt and that was refused at once, two presses of a button would open two.
 */
export async function attemptMeant(
  key: BusinessKey,
  attempt: PayOptions['attempt'],
  store: Pick<JournalStore, 'attemptsOf'>,
): Promise<number | undefined> {
  if (attempt !== 'next') return attempt
  const last = (await store.attemptsOf(keyText(key))).at(-1)
  if (last === undefined) return 1
  const isOver = chargedNothing(last) || (isUnsent(last) && isUsedUp(last))
  return isOver ? last.attempt + 1 : last.attempt
}
