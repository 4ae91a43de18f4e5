import type { Intent } from '@tallystick/client'
import { kept } from '../intents/states.ts'
import { type Decision, decided } from './status-result.ts'

/**
 * The status has confirmed that a refused request created nothing. `pay` makes the first check itself and returns what it finds.
 * If that check learned nothing, `pay` has returned `unknown`, and whoever waits for the outcome is notified now.
 */
export function refusalConfirmed(intent: Intent, told: Partial<Intent>): Decision {
  const confirmed = kept(intent, { ...told, nextCheckAt: undefined })
  return decided(confirmed, [], intent.lookedAt === undefined ? [] : ['REFUSED'])
}
