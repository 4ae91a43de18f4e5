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
import { type Crew, crew } from '../crew.ts'
import { WATCH_MS } from '../decide/absence.ts'
import { observationOf } from '../decide/look.ts'
import { LEASE_MS, leases } from '../lease.ts'
import type { JournalParts } from '../options.ts'
import { sameObservation } from '../states.ts'
import { withinLimit } from '../within-limit.ts'
import { askStatus } from './ask.ts'

/** The confirmed status of an order that no intent has. */
export interface StrayOutcome extends PaymentOutcome {
  /** The same when the same is told again, another one for each news: deduplicate by it. */
  readonly key: string
  /** The intent that created the recurring payment which this order is a charge of, where this journal has it. */
  readonly recurringPayment?: Intent
}

export type StrayHandler = (outcome: StrayOutcome) => void | Promise<void>

/** How many of them are asked for and told at the same time. */
const HANDS = 8
/**
 * What was told is remembered for two years after its last news: forgotten before a chargeback is won back, it would be told
 * under its first key again.
 */
const REMEMBERED_MS = 2 * 365 * 86_400_000

/** One that this process has claimed, with its lease as it is by now. */
interface Claimed {
  stray: StrayOrder
}

/**
 * Orders that the gateway opened by itself, such as the charges of a recurring payment (createRecurringPayment): what
 * their callbacks say is confirmed by the status, and told to the merchant.
 *
 * At least once for each callback that has news: a process that dies between the handler and the note that he ran tells
 * it again, under the same key. Without a handler they are left alone, and shown in the report.
 */
export function strayOrders<Transaction>(parts: JournalParts<Transaction>, onDone: () => void): Crew {
  const { store, clock, onStray, tell, handlerTimeoutMs } = parts
  const claims = leases<Claimed>({
    clock,
    renew: async (held, leaseUntil) => void (await Promise.all(held.map((one) => renew(one, Math.round(leaseUntil))))),
    onFailure: (error) => tell({ type: 'RECONCILE_FAILED', error }),
  })

  async function renew(claimed: Claimed, leaseUntil: number): Promise<void> {
    const { stray } = claimed
    if (await store.renewStray(stray, leaseUntil)) claimed.stray = { ...stray, leaseUntil }
  }

  async function take(limit: number): Promise<readonly StrayOrder[]> {
    const now = Math.round(clock.now())
    return onStray === undefined ? [] : await store.claimStrays({ now, leaseUntil: now + LEASE_MS, limit })
  }

  /** Whether the merchant was told. */
  async function handle(stray: StrayOrder): Promise<boolean> {
    let isTold = false
    const told: StrayHandler = async (outcome) => {
      const limit = { clock, limitMs: handlerTimeoutMs, what: `onStray of ${outcome.key}` }
      await withinLimit(() => onStray?.(outcome), limit)
      isTold = true
    }
    const claimed: Claimed = { stray }
    try {
      const change = await claims.during(claimed, () => look(stray, { ...parts, onStray: told }))
      const now = clock.now()
      await store.settleStray(claimed.stray, change, now + LEAST_WAIT_MS, now - REMEMBERED_MS)
    } catch (error) {
      tell({ type: 'RECONCILE_FAILED', error })
    }
    return isTold
  }

  const nameOf = ({ clientOrderId, orderId }: StrayOrder) => JSON.stringify([clientOrderId, orderId])
  return crew({ hands: HANDS, take, nameOf, work: handle, onDone })
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
