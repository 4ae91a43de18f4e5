import type { Clock } from '@tallystick/client'

/**
 * How long a process has something for itself. It is short, so that another process soon takes up what a dead one left: after
 * this time, its next turn (`pollMs`, a second) and the status check itself. The lease is renewed while the work goes on, however
 * long that takes.
 */
export const LEASE_MS = 8000
/** No lease lasts for so long: it was written before the clock was set back. */
export const NO_LEASE_MS = 3_600_000
/** How often a lease is renewed. A process may miss two renewals, or one if its clock is three seconds off another's. */
const RENEW_EVERY_MS = 2400

/** Renews the leases of the items that this process works on. */
export interface Leases<Item> {
  /** Does the work, and renews the lease until it ends. */
  during<Result>(item: Item, work: () => Promise<Result>): Promise<Result>
  /** Whether this process works on the item, whatever has become of its lease. */
  has(item: Item): boolean
  /** Resolves when this process does not work on the item any more. */
  ended(item: Item): Promise<void>
  /** Resolves when no renewal is under way. One that began before the work ended may end after it. */
  renewed(): Promise<void>
}

interface LeaseOptions<Item> {
  readonly clock: Clock
  readonly renew: (items: readonly Item[], leaseUntil: number) => Promise<unknown>
  /** Called with the reason if the leases could not be renewed. They may lapse then, and other processes take the items. */
  readonly onFailure: (error: unknown) => void
}

/** All leases of one kind that a process has, renewed together. Nothing is scheduled while there are none. */
export function leases<Item>({ clock, renew, onFailure }: LeaseOptions<Item>): Leases<Item> {
  const held = new Map<Item, Promise<unknown>>()
  let renewing: Promise<void> | undefined
  let isMissed = false
  let cancel = () => {}

  function arm(): void {
    cancel = clock.schedule(RENEW_EVERY_MS, () => {
      arm()
      if (renewing === undefined) renewing = renewAll()
      else isMissed = true
    })
  }

  /** If a renewal took so long that the next one was due meanwhile, that one follows at once. */
  async function renewAll(): Promise<void> {
    try {
      do {
        isMissed = false
        await renew([...held.keys()], clock.now() + LEASE_MS)
      } while (isMissed && held.size > 0)
    } catch (error) {
      onFailure(error)
    } finally {
      renewing = undefined
    }
  }

  return {
    has: (item) => held.has(item),
    ended: async (item) => {
      await Promise.allSettled([held.get(item)])
    },
    renewed: async () => await renewing,
    during: async (item, work) => {
      if (held.size === 0) arm()
      const working = work()
      held.set(item, working)
      try {
        return await working
      } finally {
        held.delete(item)
        if (held.size === 0) cancel()
      }
    },
  }
}
