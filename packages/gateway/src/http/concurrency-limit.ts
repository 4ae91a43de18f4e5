/** A request that came to the gateway. */
interface Arrival<Answer> {
  readonly serialNumber: string
  /** `claim` is `undefined` if there are too many requests, so that this one must be turned away. */
  readonly answer: (claim: Claim | undefined) => Promise<Answer>
  /** The answer if `answer` throws. */
  readonly failed: () => Answer
}

/** Counts a request to the share of its merchant, once it is known. `false`: that is used up, so it must be turned away. */
export type Claim = (login: string) => boolean

interface RequestLimits {
  readonly total: number
  readonly perMerchant: number
  /** Of those of which nobody knows yet whose they are. */
  readonly unverified: number
}

const MOST_REQUESTS = 1000
const FEWEST_UNVERIFIED = 16

/** By default one merchant gets at most half, unless there is no other. */
export function requestLimits({
  merchants,
  maxConcurrentRequests: total = MOST_REQUESTS,
  maxConcurrentRequestsPerMerchant: perMerchant = merchants.length === 1 ? total : Math.ceil(total / 2),
}: {
  readonly merchants: readonly unknown[]
  readonly maxConcurrentRequests?: number | undefined
  readonly maxConcurrentRequestsPerMerchant?: number | undefined
}): RequestLimits {
  return { total, perMerchant, unverified: Math.max(Math.ceil(total / 4), FEWEST_UNVERIFIED) }
}

export type Entrance = <Answer>(arrival: Arrival<Answer>) => Promise<Answer>

/** Answers each request, whatever happens inside, and counts how many are in progress. */
export function entrance(
  { total, perMerchant, unverified }: RequestLimits,
  {
    onError,
    onLimit,
  }: { readonly onError: (error: unknown, serialNumber: string) => void; readonly onLimit: LimitListener },
): Entrance {
  let inside = 0
  let unknown = 0
  const shares = new Map<string, number>()
  const count = (login: string, by: number) => {
    const now = (shares.get(login) ?? 0) + by
    if (now === 0) shares.delete(login)
    else shares.set(login, now)
  }
  return async ({ serialNumber, answer, failed }) => {
    let claimedBy: string | undefined
    const claim: Claim = (login) => {
      if (claimedBy !== undefined) return true
      if ((shares.get(login) ?? 0) >= perMerchant) {
        onLimit({ limit: 'requests', login })
        return false
      }
      claimedBy = login
      unknown--
      count(login, 1)
      return true
    }
    inside++
    unknown++
    try {
      const isBusy = inside > total || unknown > unverified
      if (isBusy) onLimit({ limit: inside > total ? 'requests' : 'unverified-requests' })
      return await answer(isBusy ? undefined : claim)
    } catch (error) {
      onError(error, serialNumber)
      return failed()
    } finally {
      inside--
      if (claimedBy === undefined) unknown--
      else count(claimedBy, -1)
    }
  }
}

/**
 * A limit that was reached.
 *
 * - `callback-connections`: a callback has to wait. With `login`: the merchant's share is used up; without: the total.
 * - `requests`: a request was refused with a 503. With `login`: the merchant's share is used up; without: the total.
 * - `unverified-requests`: a request was refused with a 503, because too many are under way whose merchant is not known yet.
 * - `tasks`: a charge, a look-up or other work of one merchant that is due has to wait, so that those of others do not.
 * - `connections`: the command's ports have more connections than the limit, so one was closed.
 * - `tries-per-card`: a card was tried too often in vain, so a try was refused with a 429.
 * - `tries-per-address`: cards were tried too often in vain from the address `peer`, so a try was refused with a 429.
 * - `own-resources`: a callback has to wait because this machine has no file, memory, port or name server for it.
 */
export interface LimitEvent {
  readonly limit:
    | 'callback-connections'
    | 'requests'
    | 'unverified-requests'
    | 'tasks'
    | 'connections'
    | 'tries-per-card'
    | 'tries-per-address'
    | 'own-resources'
  /** The merchant whose share is used up. Absent if a total is. */
  readonly login?: string | undefined
  /** The address that is counted, an IPv6 one as its /64. Only of `tries-per-address`. */
  readonly peer?: string | undefined
}

export type LimitListener = (reached: LimitEvent) => void
