import type { Intent } from '@tallystick/client'

/** Asks the status of an intent, and gives the intent as it is then. */
export type LookAt = (intent: Intent) => Promise<Intent>

/** A caller who asks during a status check of the intent waits for that one: anybody can make many browsers return at once. */
export function oneLookAtATime(look: LookAt): LookAt {
  const underWay = new Map<string, Promise<Intent>>()
  return (intent) => {
    const { intentId } = intent
    const begun = underWay.get(intentId) ?? look(intent).finally(() => underWay.delete(intentId))
    underWay.set(intentId, begun)
    return begun
  }
}
