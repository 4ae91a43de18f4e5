import type { Clock } from '@tallystick/client'

/**
 * How long a process has something for itself. It is short, so that what a dead one was at is taken up soon: after this, the
 * next look of another process (`pollMs`, a second) and the question itself. It is renewed while the work goes on, however
 * long that takes.
 */
export const LEASE_MS = 8000
/** How often it is renewed: a process may miss two, or one where its clock is three seconds from that of another. */
const RENEW_EVERY_MS = 2400

/** Renews the leases of what is being worked at. */
export interface Leases<Item> {
  /** Does the work, with the lease renewed until its end. */
  during<Result>(item: Item, work: () => Promise<Result>): Promise<Result>
  /** Whether this process is at it, by whatever lease. */
  has(item: Item): boolean
  /** Resolves when no renewal is under way. One that began before the work ended may end after it. */
  renewed(): Promise<void>
}

export interface LeaseOptions<Item> {
  readonly clock: Clock
  readonly renew: (items: readonly Item[], leaseUntil: number) => Promise<unknown>
  /** Hears why they could not be renewed. They lapse then, and others take them. */
  readonly onFailure: (error: unknown) => void
}

/** All leases of one kind that a process has, renewed together. Nothing is scheduled while there are none. */
export function leases<Item>({ clock, renew, onFailure }: LeaseOptions<Item>): Leases<Item> {
  const held = new Set<Item>()
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

  /** One that took so long that the next was missed is made up for at once. */
  async function renewAll(): Promise<void> {
    try {
      do {
        isMissed = false
        await renew([...held], clock.now() + LEASE_MS)
      } while (isMissed && held.size > 0)
    } catch (error) {
      onFailure(error)
    } finally {
      renewing = undefined
    }
  }

  return {
    has: (item) => held.has(item),
    renewed: async () => await renewing,
    during: async (item, work) => {
      if (held.size === 0) arm()
      held.add(item)
      try {
        return await work()
      } finally {
        held.delete(item)
        if (held.size === 0) cancel()
      }
    },
  }
}
