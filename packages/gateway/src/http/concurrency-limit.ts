import type { LimitListener } from '../listeners.ts'
import type { GatewayOptions } from '../options.ts'

/** A request that came to the gateway. */
export interface Arrival<Answer> {
  readonly serialNumber: string
  /** `claim` is `undefined` if there are too many requests, so that this one must be turned away. */
  readonly answer: (claim: Claim | undefined) => Promise<Answer>
  /** The answer if `answer` throws. */
  readonly failed: () => Answer
}

/** Counts a request to the share of its merchant, once it is known. `false`: that is used up, so it must be turned away. */
export type Claim = (login: string) => boolean

export interface RequestLimits {
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
}: Pick<GatewayOptions, 'merchants' | 'maxConcurrentRequests' | 'maxConcurrentRequestsPerMerchant'>): RequestLimits {
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
