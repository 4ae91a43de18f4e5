import type { LimitListener } from '../http/concurrency-limit.ts'
import type { Clock } from '../runtime/clock.ts'
import { afterAnswer, type Breaker, CLOSED, putOffUntil } from './breaker.ts'

/** Where a delivery goes, and for whom. */
interface Target {
  readonly login: string
  readonly host: string
}

/** Whose turn it is with a host. Only this process knows; what it forgets costs an attempt, never a delivery. */
interface HostLimiter {
  /** Resolves when a delivery may be sent to the host, or with the time until which it is put off. */
  enter(target: Target): Promise<Admission>
  /** Forgets all it knows about the hosts, even which are down. Only while nothing is under way. */
  forget(): void
  /** Puts off to now all deliveries that wait and all that come from now on. */
  close(): void
}

type Admission = Turn | { readonly putOffUntil: number }

/**
 * What an attempt says about its host. `unreachable`: no connection, whoever calls. `unknown`: nothing, because what failed is
 * on our side.
 */
type HostVerdict = 'up' | 'down' | 'unreachable' | 'unknown'

interface Turn {
  readonly begunAt: number
  /** To be called when the attempt has ended. */
  leave(verdict: HostVerdict): void
}

/** How many callbacks may be under way at once. Taken before a name is looked up. */
interface CallbackLimits {
  readonly total: number
  readonly perMerchant: number
}

/** A quarter of the 1,024 files that a process usually has. */
const MOST_CALLBACKS = 256

/** Three merchants whose hosts are silent still leave room for others. */
export function callbackLimits({
  maxCallbackConnections: total = MOST_CALLBACKS,
  maxCallbackConnectionsPerMerchant: perMerchant = Math.ceil(total / 4),
}: {
  readonly maxCallbackConnections?: number | undefined
  readonly maxCallbackConnectionsPerMerchant?: number | undefined
} = {}): CallbackLimits {
  return { total, perMerchant }
}

export interface HostLimiterDependencies {
  readonly clock: Clock
  /** A number from 0 to 1. */
  readonly fraction: () => number
  readonly limits?: CallbackLimits
  readonly onLimit?: LimitListener
}

/** Attempts under way at once per merchant and host, so that a slow host takes neither the others' room nor all of ours. */
const AT_ONCE = 4
/** A delivery waits for its turn in memory if that should take no longer than this. If not, it goes back to the store. */
const SHORT_WAIT_MS = 5000
/** A delivery that has waited longer than this after all goes back too. */
const LONGEST_WAIT_MS = 20_000
/** How long an attempt is assumed to take at an unknown host. */
const USUAL_MS = 100
/** No attempt takes longer, or less than nothing: if one seems to, the clock was set while it was under way. */
const LONGEST_MS = 15_000
/** How many hosts are remembered. Those with something under way are never forgotten. */
const MAX_HOSTS = 10_000

/** Places for attempts: of a merchant at a host, of a merchant, of all. */
interface Places {
  readonly most: number
  underWay: number
  readonly waiting: Waiting[]
  /** How long an attempt takes here: a moving average. */
  tookMs: number
  /** The time to which the last delivery that found no room was put off. */
  nextTurnAt: number
  /** When that was done. */
  turnGivenAt: number
}

interface Waiting {
  readonly since: number
  /** Until when nothing may be sent here. */
  readonly rest: () => number | undefined
  readonly resolve: (putOffUntil: number | undefined) => void
}

/** A merchant's places at a host. Another merchant's answers there say nothing about this one's: only its own open the breaker. */
interface Host extends Places {
  breaker: Breaker
}

/** What holds for all merchants: whether the host can be connected to. */
interface Connections {
  breaker: Breaker
  underWay: number
}

export function hostLimiter({
  clock,
  fraction,
  limits = callbackLimits(),
  onLimit,
}: HostLimiterDependencies): HostLimiter {
  const known = lru<Host>(({ underWay, waiting }) => underWay === 0 && waiting.length === 0)
  const connections = lru<Connections>(({ underWay }) => underWay === 0)
  const merchants = new Map<string, Places>()
  const all = places(limits.total)
  let isClosed = false

  async function enter({ login, host: name }: Target): Promise<Admission> {
    const since = clock.now()
    const host = known.get(`${login} ${name}`) ?? { ...places(AT_ONCE), breaker: CLOSED }
    const shared = connections.get(name) ?? { breaker: CLOSED, underWay: 0 }
    const mine = merchants.get(login) ?? places(limits.perMerchant)
    known.set(`${login} ${name}`, host)
    connections.set(name, shared)
    merchants.set(login, mine)
    const rest = () => restOf(host) ?? restOf(shared)
    const held: Places[] = []
    for (const each of [host, mine, all]) {
      const until = await take(each, since, each === host ? rest : () => undefined)
      if (until === undefined) {
        held.push(each)
        continue
      }
      if (each !== host) onLimit?.({ limit: 'callback-connections', ...(each === mine ? { login } : {}) })
      for (const taken of held) giveBack(taken)
      return { putOffUntil: until }
    }
    const begunAt = clock.now()
    shared.underWay++
    return {
      begunAt,
      leave: (verdict) => {
        const now = clock.now()
        shared.underWay--
        const took = Math.min(Math.max(now - begunAt, 0), LONGEST_MS)
        if (verdict !== 'unknown') {
          host.breaker = afterAnswer(host.breaker, { isUp: verdict === 'up', begunAt, now })
          shared.breaker = afterAnswer(shared.breaker, { isUp: verdict !== 'unreachable', begunAt, now })
        }
        for (const each of held) {
          each.tookMs += (took - each.tookMs) / 4
          giveBack(each)
        }
        known.set(`${login} ${name}`, host)
      },
    }
  }

  function restOf({ breaker, underWay }: Connections): number | undefined {
    return putOffUntil(breaker, { now: clock.now(), underWay, fraction: fraction() })
  }

  /** Resolves when a place was taken, or with the time until which the delivery is put off. */
  async function take(at: Places, since: number, rest: Waiting['rest']): Promise<number | undefined> {
    const now = clock.now()
    if (isClosed) return now
    if (at.underWay < at.most) return occupy(at, rest)
    if (!hasRoom(at)) return laterTurn(at, now)
    return await new Promise((resolve) => at.waiting.push({ since, rest, resolve }))
  }

  function occupy(at: Places, rest: Waiting['rest']): number | undefined {
    const until = rest()
    if (until === undefined) at.underWay++
    return until
  }

  function giveBack(at: Places): void {
    at.underWay--
    while (at.underWay < at.most) {
      const next = at.waiting.shift()
      if (next === undefined) return
      const now = clock.now()
      const isLate = now - next.since > LONGEST_WAIT_MS
      next.resolve(isLate ? laterTurn(at, now) : occupy(at, next.rest))
    }
  }

  return {
    enter,
    forget: () => {
      known.clear()
      connections.clear()
    },
    close: () => {
      isClosed = true
      for (const { waiting } of [...known.values(), ...merchants.values(), all]) {
        for (const { resolve } of waiting.splice(0)) resolve(clock.now())
      }
    },
  }
}

function places(most: number): Places {
  return { most, underWay: 0, waiting: [], tookMs: USUAL_MS, nextTurnAt: 0, turnGivenAt: 0 }
}

/** A map that forgets what was not used for longest, but nothing that is in use. */
function lru<Value>(isIdle: (value: Value) => boolean) {
  const map = new Map<string, Value>()
  return {
    get: (name: string) => map.get(name),
    set: (name: string, value: Value) => {
      map.delete(name)
      map.set(name, value)
      if (map.size <= MAX_HOSTS) return
      for (const [oldest, each] of map) if (isIdle(each)) return void map.delete(oldest)
    },
    values: () => map.values(),
    clear: () => map.clear(),
  }
}

function hasRoom({ waiting, tookMs, most }: Places): boolean {
  return (waiting.length / most) * tookMs <= SHORT_WAIT_MS
}

/** Deliveries that come back within this time come back together, so that one look in the store finds many. */
const TOGETHER_MS = 250

/**
 * Deliveries that find no room come back at the pace of the host. If the last turn was given at a time
 * after now, the clock was set back, and that turn is forgotten.
 */
function laterTurn(at: Places, now: number): number {
  if (now < at.turnGivenAt) at.nextTurnAt = 0
  at.turnGivenAt = now
  at.nextTurnAt = Math.max(at.nextTurnAt, now + SHORT_WAIT_MS) + at.tookMs / at.most
  return Math.ceil(at.nextTurnAt / TOGETHER_MS) * TOGETHER_MS
}
