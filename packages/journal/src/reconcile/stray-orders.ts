import { LEAST_WAIT_MS, type StrayOrder } from '@tallystick/client'
import { type Crew, crew } from '../crew.ts'
import { LEASE_MS, leases } from '../lease.ts'
import type { JournalParts } from '../options.ts'
import { withinLimit } from '../within-limit.ts'
import { lookAtStray, type StrayHandler } from './stray-look.ts'

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
 * At least once for each callback that has news: a process that dies between the handler and the note that it ran tells
 * it again, under the same key. Without a handler they are left alone, and shown in the report: all but second orders of one
 * payment, which somebody has to hear of.
 */
export function strayOrders<Transaction>(parts: JournalParts<Transaction>, onDone: () => void): Crew {
  const { store, clock, onStray, tell, handlerTimeoutMs } = parts
  const suspected = new Set<string>()
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
    return await store.claimStrays({ now, leaseUntil: now + LEASE_MS, limit, ofOpenings: onStray === undefined })
  }

  /** Whether the merchant was told. */
  async function handle(stray: StrayOrder): Promise<boolean> {
    let isTold = false
    const told: StrayHandler | undefined =
      onStray &&
      (async (outcome) => {
        const limit = { clock, limitMs: handlerTimeoutMs, what: `onStray of ${outcome.key}` }
        await withinLimit(() => onStray(outcome), limit)
        isTold = true
      })
    const claimed: Claimed = { stray }
    try {
      const change = await claims.during(claimed, () => lookAtStray(stray, { ...parts, onStray: told, suspected }))
      // The lease that is ended is the one that it has by then.
      await claims.renewed()
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
