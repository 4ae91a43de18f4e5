import { LEAST_WAIT_MS, type StrayOrder } from '@tallystick/client'
import { LEASE_MS, leases } from '../background/lease.ts'
import { withinLimit } from '../background/within-limit.ts'
import { type Crew, crew } from '../background/worker-pool.ts'
import type { JournalParts } from '../options.ts'
import { inTurn } from '../runtime/keyed-mutex.ts'
import { lookAtStray } from './orphan-status.ts'
import { WATCHING_HANDS } from './reconciler.ts'

/** How many of them are checked and reported at the same time. */
const HANDS = 8
/**
 * A reported order is remembered for two years after its last change. If it were forgotten before a chargeback is won back, it
 * would be reported under its first key again.
 */
const REMEMBERED_MS = 2 * 365 * 86_400_000

/** An order that this process has claimed, with its current lease. */
interface Claimed {
  stray: StrayOrder
}

export interface Strays {
  readonly looks: Crew
  readonly watches: Crew
  /** How often the merchant's function was called by now, without a failure. */
  told(): number
}

/**
 * Orders that no intent has, such as the charges of a recurring payment (createRecurringPayment), which the gateway opens itself.
 * When a callback of one comes, the status is asked and reported to the merchant.
 *
 * Each change is reported at least once: if a process dies between the handler and the note that it ran, the handler is called
 * again, with the same key. Without a handler these orders are only shown in the report, except for second orders of one
 * payment: those are checked, since an operator has to know of a double charge.
 */
export function strayOrders<Transaction>(parts: JournalParts<Transaction>, onDone: () => void): Strays {
  const { store, clock, onStray, tell, handlerTimeoutMs, skew, watchMs } = parts
  const suspected = new Set<string>()
  let calls = 0
  const underWay = new Map<string, Claimed>()
  const claims = leases<Claimed>({
    clock,
    renew: (held, leaseUntil) => renewAll(held, leaseUntil),
    onFailure: (error) => tell({ type: 'RECONCILE_FAILED', error }),
  })

  /**
   * Claims, renewals and results are written one after the other: each is written under the lease that the one before has left. A
   * result under a lapsed lease would be lost, and the merchant's function called again.
   */
  const alone = inTurn()

  async function renew(claimed: Claimed, leaseUntil: number): Promise<void> {
    const { stray } = claimed
    if (await store.renewStray(stray, leaseUntil)) claimed.stray = { ...stray, leaseUntil }
  }

  const renewAll = (held: readonly Claimed[], leaseUntil: number) =>
    alone('', async () => await Promise.all(held.map((one) => renew(one, Math.round(leaseUntil)))))

  /** Claims what is due. What this process is still working on is left out: its lease had lapsed, and it has the new one. */
  function take(limit: number, watched = false): Promise<readonly StrayOrder[]> {
    return alone('', async () => {
      const now = Math.round(clock.now())
      const claim = { now, leaseUntil: now + LEASE_MS, limit, watched, ofOpenings: onStray === undefined }
      const due = await store.claimStrays(claim)
      return due.filter(({ leaseUntil, ...order }) => {
        const claimed = underWay.get(nameOf(order))
        if (claimed !== undefined) claimed.stray = { ...claimed.stray, leaseUntil }
        return claimed === undefined
      })
    })
  }

  async function handle(stray: StrayOrder, isWatched: boolean): Promise<boolean> {
    const told: typeof onStray =
      onStray &&
      (async (outcome) => {
        const limit = {
          clock,
          limitMs: handlerTimeoutMs,
          what: `${outcome.kind === 'notice' ? 'onStrayNotice' : 'onStray'} of ${outcome.key}`,
        }
        await withinLimit(() => onStray(outcome), limit)
        calls++
      })
    const claimed: Claimed = { stray }
    underWay.set(nameOf(stray), claimed)
    try {
      const change = await claims.during(claimed, () =>
        lookAtStray(stray, { ...parts, onStray: told, suspected, isWatched }),
      )
      await alone('', async () => {
        const now = clock.now()
        await store.settleStray(claimed.stray, change, now + LEAST_WAIT_MS, now - skew.aheadMs() - REMEMBERED_MS)
        underWay.delete(nameOf(stray))
      })
    } catch (error) {
      tell({ type: 'RECONCILE_FAILED', error })
    } finally {
      underWay.delete(nameOf(stray))
    }
    return true
  }

  const watch = onStray !== undefined && watchMs > 0
  return {
    told: () => calls,
    looks: crew({ hands: HANDS, take, nameOf, work: (stray) => handle(stray, false), onDone }),
    watches: crew({
      hands: WATCHING_HANDS,
      take: async (limit) => (watch ? await take(limit, true) : []),
      nameOf,
      work: (stray) => handle(stray, true),
      onDone,
      rest: clock,
    }),
  }
}

function nameOf({ clientOrderId, orderId }: Pick<StrayOrder, 'clientOrderId' | 'orderId'>): string {
  return JSON.stringify([clientOrderId, orderId])
}
