import { type Intent, type IntentChange, type IntentEndpoint, LEAST_WAIT_MS } from '@tallystick/client'
import { isAbsentLongEnough, withAbsence } from '../decide/absence.ts'
import { decideLook } from '../decide/decide-look.ts'
import type { Circumstances, Decision, DecisionEvent, Look } from '../decide/look.ts'
import { notLaterThanWoken } from '../decide/next-check.ts'
import { endpointOf } from '../endpoint.ts'
import { withEvidence } from '../evidence.ts'
import type { JournalParts } from '../options.ts'
import { FREE, lost } from '../sending/settle.ts'
import { kept } from '../states.ts'
import { updateIntent } from '../update-intent.ts'
import { ask } from './ask.ts'
import { atMost } from './at-most.ts'

export interface Reconciler {
  /** Asks the status of an intent and writes what follows. Gives it as it is then. */
  look(intent: Intent): Promise<Intent>
  /** Looks at everything that is due, once. Gives how many there were. */
  pass(): Promise<number>
  /** Tells what follows from a decision. */
  announce(events: readonly DecisionEvent[], intent: Intent): void
}

/** How things stood when the status was asked. */
interface Asked {
  readonly since: number
  readonly lastAnswerAt: number | undefined
}

const AT_ONCE = 8
const BATCH = 64
/** How long a look has the intent for itself: its call with all repeats, and a margin. */
const LOOK_LEASE_MS = 240_000
/** The gateway's answer is noted once in so many milliseconds. */
const NOTE_EVERY_MS = 30_000

export function reconciler<Transaction>(parts: JournalParts<Transaction>): Reconciler {
  const { store, clock, fraction, exponents, owner, tell, repeatsGetFirstAnswer } = parts
  const notedAt = new Map<string, number>()

  function announce(events: readonly DecisionEvent[], intent: Intent): void {
    for (const type of events) tell({ type, intent })
  }

  /** Whether an endpoint tells of orders at all is part of what an absence means. */
  async function noteAnswer(intent: Intent): Promise<void> {
    const now = clock.now()
    const endpoint = endpointOf(intent)
    const name = JSON.stringify(endpoint)
    if (now - (notedAt.get(name) ?? Number.NEGATIVE_INFINITY) < NOTE_EVERY_MS) return
    notedAt.set(name, now)
    await note(endpoint, now)
  }

  /** As well as it can be: what was seen of the order counts all the same, and without the note nothing is absent. */
  async function note(endpoint: IntentEndpoint, at: number): Promise<void> {
    try {
      await store.noteAnswer(endpoint, at)
    } catch (error) {
      tell({ type: 'RECONCILE_FAILED', error })
    }
  }

  async function circumstances({ clientOrderId }: Intent, lastAnswerAt: number | undefined): Promise<Circumstances> {
    const ofOrder = await store.ofOrder(clientOrderId)
    const modifications = ofOrder.filter(({ kind }) => kind === 'modification')
    return { now: clock.now(), fraction: fraction(), exponents, lastAnswerAt, modifications }
  }

  /** A look that may find an order absent for good is preceded by one for an order that is there. */
  async function seekProof(intent: Intent): Promise<void> {
    const now = clock.now()
    if (intent.state !== 'UNKNOWN' || !isAbsentLongEnough({ ...intent, ...withAbsence(intent, now) }, now)) return
    const known = await store.knownOrder(endpointOf(intent))
    if (known === undefined) return
    const other = await ask({ ...known, kind: 'opening' }, parts)
    if (other.kind === 'found') await note(endpointOf(intent), clock.now())
  }

  async function look(intent: Intent): Promise<Intent> {
    if (intent.kind === 'opening') await seekProof(intent)
    const since = clock.now()
    // From before the question: a gateway that knew nothing when it was asked may know everything again a moment later.
    const lastAnswerAt = await store.lastAnswerAt(endpointOf(intent))
    const seen = await ask(intent, parts)
    if (seen.kind === 'found') await noteAnswer(intent)
    return await conclude(intent, seen, { since, lastAnswerAt })
  }

  async function conclude({ intentId }: Intent, seen: Look, { since, lastAnswerAt }: Asked): Promise<Intent> {
    let events: readonly DecisionEvent[] = []
    const written = await updateIntent(store, intentId, async (fresh) => {
      const decision = freed(fresh, decideLook(fresh, seen, await circumstances(fresh, lastAnswerAt)), since)
      events = decision.events
      return [decision, ...(await onOpening(decision))]
    })
    const [change] = written ?? []
    if (change === undefined) throw new Error('A look writes something')
    announce(events, change.intent)
    await suspect(change)
    return change.intent
  }

  /** What a modification has done to its order is no news about the order. */
  async function onOpening({ intent }: Decision): Promise<readonly IntentChange[]> {
    const { kind, state, clientOrderId, observed } = intent
    if (kind !== 'modification' || state !== 'FINAL') return []
    const opening = (await store.ofOrder(clientOrderId)).find((other) => other.kind === 'opening')
    return opening?.state === 'FINAL' ? [{ intent: kept(opening, { observed }), outcomes: [] }] : []
  }

  /** Two approved attempts of one business key: a person has to give one back. */
  async function suspect({ intent, outcomes }: IntentChange): Promise<void> {
    const isNews = outcomes.some(({ kind }) => kind === 'outcome')
    if (!isNews || intent.kind !== 'opening' || intent.status !== 'approved') return
    const attempts = await store.attemptsOf(intent.businessKey)
    const approved = attempts.filter(({ state, status }) => state === 'FINAL' && status === 'approved')
    if (approved.length > 1) tell({ type: 'DOUBLE_CHARGE_SUSPECTED', intents: approved })
  }

  /** One that fails must not keep the others from being looked at; its lease ends by itself. */
  async function handle(intent: Intent): Promise<void> {
    try {
      await handleDue(intent)
    } catch (error) {
      tell({ type: 'RECONCILE_FAILED', error })
    }
  }

  /** What is due, which this process has leased. */
  async function handleDue(intent: Intent): Promise<void> {
    if (intent.state === 'SENDING') return await takeOver(intent)
    const { lookedAt = Number.NEGATIVE_INFINITY } = intent
    if (clock.now() - lookedAt < LEAST_WAIT_MS) return await postpone(intent, lookedAt + LEAST_WAIT_MS)
    await look(intent)
  }

  /** Who was sending it is dead: it may have been sent. */
  async function takeOver({ intentId }: Intent): Promise<void> {
    const written = await updateIntent(store, intentId, (fresh) => {
      if (fresh.state !== 'SENDING') return undefined
      const now = clock.now()
      const evidence = withEvidence(fresh, now, 'the process that was sending it ended')
      return [lost({ ...fresh, evidence }, now, { repeatsGetFirstAnswer })] as const
    })
    const [change] = written ?? []
    if (change !== undefined) announce(change.events, change.intent)
  }

  async function postpone({ intentId }: Intent, nextCheckAt: number): Promise<void> {
    await updateIntent(store, intentId, (fresh) => [{ intent: kept(fresh, { ...FREE, nextCheckAt }), outcomes: [] }])
  }

  async function pass(): Promise<number> {
    let handled = 0
    for (;;) {
      const now = clock.now()
      const due = await store.claimDue({ now, leaseUntil: now + LOOK_LEASE_MS, owner, limit: BATCH })
      await atMost(AT_ONCE, due, handle)
      handled += due.length
      if (due.length < BATCH) return handled
    }
  }

  return { look, pass, announce }
}

/** The lease ends with the write; what came meanwhile is looked at soon. */
function freed(fresh: Intent, decision: Decision, since: number): Decision {
  const nextCheckAt = notLaterThanWoken(fresh, since, decision.intent.nextCheckAt)
  return { ...decision, intent: { ...decision.intent, ...FREE, nextCheckAt } }
}
