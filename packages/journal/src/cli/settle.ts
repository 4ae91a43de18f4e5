import type { NamedOrders } from '@tallystick/client/internal'
import type { Intent } from '@tallystick/client/ports'
import { warnOf } from '../events.ts'
import { isNamed } from '../intents/states.ts'
import { type ReviewDecision, resolveReview } from '../reconcile/review.ts'
import { systemClock } from '../runtime/system.ts'
import { type Settling, UsageError } from './arguments.ts'
import { withJournal } from './open-journal.ts'
import { intentText, line, notKnown } from './show.ts'

/** Where somebody may sit before the command. */
export interface Terminal {
  /** `undefined`: nobody can be asked. */
  readonly confirm?: ((question: string) => Promise<boolean>) | undefined
}

/** Writes a decision about a payment in review. A process of the shop delivers its outcome, as any other. */
export async function settle(settling: Settling, { confirm }: Terminal): Promise<string> {
  const { place, called, decision, by, because, isConfirmed, isJson } = settling
  if (!isConfirmed && confirm === undefined) throw new UsageError('nobody can be asked here: add --yes to decide')
  return await withJournal(place, async (store) => {
    const found = await store.named(called)
    const { intentId, version, ...intent } = inReview(called, found)
    const now = systemClock.now()
    const shown = intentText({ ...intent, intentId, version }, found, now)
    const question = `${shown}\n\n${line(`${by} decides ${wordOf(decision)}: ${because}`)}\nWrite that?`
    if (!isConfirmed && !(await confirm?.(question))) throw new Error('not confirmed: nothing was written')
    const note = `by ${by}: ${because}`
    const settled = await resolveReview(intentId, decision, note, { store, clock: systemClock, emit: warnOf }, version)
    if (isJson) return `${JSON.stringify(settled, undefined, 2)}\n`
    return `${intentText(settled, found, now)}\n\nwritten; ${NEXT[wordOf(decision)] ?? DELIVERED}\n`
  })
}

function wordOf(decision: ReviewDecision): string {
  return typeof decision === 'string' ? decision : `reference ${decision.reference}`
}

const DELIVERED = 'a process of the shop that has a handler calls it with the outcome, within its `pollMs` (a second)'
const NEXT: Readonly<Record<string, string>> = {
  'ask-again': 'a process of the shop asks for the status, within its `pollMs` (a second)',
  'nothing-charged': "the next attempt is made when the shop pays with { attempt: 'next' }",
}

/** Of what is called so, what is in review: the payment that a decision is about. */
function inReview(called: string, { intents }: NamedOrders): Intent {
  const named = intents.filter((intent) => isNamed(intent, called))
  if (named.length === 0) throw notKnown(called)
  const [found, ...others] = named.filter(({ state }) => state === 'REVIEW')
  if (found === undefined) throw new Error(`nothing is to decide, none of these is in review:${listed(named)}`)
  if (others.length === 0) return found
  throw new Error(`several payments are called so: name one by its intent id:${listed([found, ...others])}`)
}

function listed(intents: readonly Intent[]): string {
  const lines = intents.map(({ intentId, businessKey, attempt, operation, state }) =>
    line(`  ${intentId}  ${businessKey}, attempt ${attempt}: ${operation}, ${state}`),
  )
  return ['', ...lines].join('\n')
}
