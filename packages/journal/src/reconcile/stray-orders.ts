import {
  type Intent,
  LEAST_WAIT_MS,
  type Observation,
  type PaymentOutcome,
  type StrayChange,
  type StrayOrder,
  waitBeforeNextLook,
} from '@tallystick/client'
import { isFinalStatus } from '@tallystick/core'
import { WATCH_MS } from '../decide/absence.ts'
import { observationOf } from '../decide/look.ts'
import type { JournalParts } from '../options.ts'
import { sameObservation } from '../states.ts'
import { askStatus } from './ask.ts'
import { atMost } from './at-most.ts'

/** The confirmed status of an order that no intent has. */
export interface StrayOutcome extends PaymentOutcome {
  /** The same when the same is told again, another one for each news: deduplicate by it. */
  readonly key: string
  /** The intent that created the recurring payment which this order is a charge of, where this journal has it. */
  readonly recurringPayment?: Intent
}

export type StrayHandler = (outcome: StrayOutcome) => void | Promise<void>

const AT_ONCE = 8
const BATCH = 64
/**
 * What was told is remembered for two years after its last news: forgotten before a chargeback is won back, it would be told
 * under its first key again.
 */
const REMEMBERED_MS = 2 * 365 * 86_400_000
/** How long one is looked at and handed over at most, before another process does. */
const LEASE_MS = 240_000

/**
 * Orders that the gateway opened by itself, such as the charges of a recurring payment (gaps part 13): what their callbacks
 * say is confirmed by the status, and told to the merchant. Gives how often he was told.
 *
 * At least once for each callback that has news: a process that dies between the handler and the note that he ran tells
 * it again, under the same key. Without a handler they are left alone, and shown in the report.
 */
export async function handOverStrays<Transaction>(parts: JournalParts<Transaction>): Promise<number> {
  const { store, clock, onStray, tell } = parts
  if (onStray === undefined) return 0
  let told = 0

  const counted: StrayHandler = async (outcome) => {
    await onStray(outcome)
    told++
  }

  async function handle(stray: StrayOrder): Promise<void> {
    try {
      const change = await look(stray, { ...parts, onStray: counted })
      const now = clock.now()
      await store.settleStray(stray, change, now + LEAST_WAIT_MS, now - REMEMBERED_MS)
    } catch (error) {
      tell({ type: 'RECONCILE_FAILED', error })
    }
  }

  for (;;) {
    const now = clock.now()
    const due = await store.claimStrays({ now, leaseUntil: now + LEASE_MS, limit: BATCH })
    await atMost(AT_ONCE, due, handle)
    if (due.length < BATCH) return told
  }
}

/** What the merchant was told last, and how often there was news: the store keeps both together. */
interface Told extends Observation {
  readonly tellings: number
}

type Parts<Transaction> = Omit<JournalParts<Transaction>, 'onStray'> & { readonly onStray: StrayHandler }

/** Asks the status, and tells the merchant when it is final and another one than he was told last. */
async function look<Transaction>(stray: StrayOrder, parts: Parts<Transaction>): Promise<StrayChange> {
  const { clientOrderId, orderId } = stray
  const guessed = await recurringPaymentOf(clientOrderId, parts)
  const seen = await askStatus({ clientOrderId, orderId }, guessed ?? {}, parts)
  const at = parts.clock.now()
  if (seen.kind !== 'found' || seen.reply.orderId !== orderId || !isFinalStatus(seen.reply.status)) {
    return laterThan(stray, at, parts)
  }
  const { reply } = seen
  const observed = observationOf(reply, parts.exponents)
  if (stray.told !== undefined && sameObservation(stray.told, observed)) return { told: stray.told, at }
  const { status, transactionType = '', amount = '' } = observed
  const recurringPayment = guessed ?? (await intentOfReference(reply.recurringPaymentId, parts))
  // Counted, since what is won back after a chargeback is as it was before it.
  const told: Told = { ...observed, tellings: tellingsOf(stray.told) + 1 }
  const key = `${orderId}:${transactionType}:${status}:${amount}:${told.tellings}`
  const isTold = await tried(
    { key, clientOrderId, orderId, status, reply, ...(recurringPayment && { recurringPayment }) },
    parts,
  )
  return isTold ? { told, at } : laterThan(stray, at, parts)
}

function tellingsOf(told: (Observation & Partial<Told>) | undefined): number {
  return told?.tellings ?? 0
}

/** Whether the handler took it. */
async function tried<Transaction>(outcome: StrayOutcome, { onStray, tell }: Parts<Transaction>): Promise<boolean> {
  try {
    await onStray(outcome)
    return true
  } catch (error) {
    tell({ type: 'STRAY_FAILED', outcome, error })
    return false
  }
}

/** Asked again by the schedule, counted from the last callback; for thirty days. */
function laterThan<Transaction>({ wokenAt }: StrayOrder, at: number, { fraction }: Parts<Transaction>): StrayChange {
  const elapsed = at - wokenAt
  if (elapsed >= WATCH_MS) return { at }
  return { at, nextCheckAt: at + Math.max(LEAST_WAIT_MS, waitBeforeNextLook(elapsed, fraction())) }
}

/** By the id of a charge, as our gateway makes it: that of the recurring payment, and the number of the period. */
async function recurringPaymentOf<Transaction>(
  clientOrderId: string,
  parts: Parts<Transaction>,
): Promise<Intent | undefined> {
  const [, reference] = /^(.+)-\d+$/.exec(clientOrderId) ?? []
  return await intentOfReference(reference, parts)
}

async function intentOfReference<Transaction>(
  reference: string | undefined,
  { store }: Parts<Transaction>,
): Promise<Intent | undefined> {
  const found = reference === undefined ? undefined : await store.findReference(reference)
  return found?.operation === 'createRecurringPayment' ? found : undefined
}
