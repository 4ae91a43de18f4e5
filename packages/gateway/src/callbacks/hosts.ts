import type { Clock } from '../clock.ts'
import { afterAnswer, type Breaker, CLOSED, putOffUntil } from './breaker.ts'

/** Whose turn it is with a host. Known by this process alone: what it forgets costs an attempt, never a delivery. */
export interface Hosts {
  /** Resolves when a delivery may be sent to the host, or with the time until which it is put off. */
  enter(host: string): Promise<Admission>
  /** Knows nothing of any host any more, also not that one is down: while nothing is under way. */
  forget(): void
  /** Puts off all that wait, and whoever comes from now on, to now. */
  close(): void
}

export type Admission = Turn | { readonly putOffUntil: number }

export interface Turn {
  readonly begunAt: number
  /** The attempt has ended. */
  leave(isUp: boolean): void
}

export interface HostsDependencies {
  readonly clock: Clock
  /** A number from 0 to 1. */
  readonly fraction: () => number
}

/** Attempts under way at once per host: one that is slow takes neither the room of the others nor all of ours. */
const AT_ONCE = 4
/** A delivery waits for its turn in memory when that should take no longer; else it goes back to the store. */
const SHORT_WAIT_MS = 5000
/** One that has waited longer in spite of that goes back too. */
const LONGEST_WAIT_MS = 20_000
/** What an attempt takes at a host of which nothing is known. */
const USUAL_MS = 100
/** No attempt takes longer, nor less than nothing: one that seems to was under way when the clock was set. */
const LONGEST_MS = 15_000
/** Hosts that are remembered; those with something under way are never forgotten. */
const MAX_HOSTS = 10_000

interface Host {
  underWay: number
  readonly waiting: Waiting[]
  breaker: Breaker
  /** What an attempt takes here: a moving average. */
  tookMs: number
  /** When the next delivery that finds no room has its turn. */
  nextTurnAt: number
  /** When a delivery was last given its turn like that. */
  turnToldAt: number
}

interface Waiting {
  readonly since: number
  readonly resolve: (admission: Admission) => void
}

export function hosts({ clock, fraction }: HostsDependencies): Hosts {
  /** Those that were in use last at the end. */
  const known = new Map<string, Host>()
  let isClosed = false

  async function enter(name: string): Promise<Admission> {
    if (isClosed) return { putOffUntil: clock.now() }
    const host = known.get(name) ?? newHost()
    const admission = host.underWay < AT_ONCE ? admit(name, host) : queue(host)
    remember(name, host)
    return await admission
  }

  function queue(host: Host): Admission | Promise<Admission> {
    const now = clock.now()
    if (!hasRoom(host)) return { putOffUntil: laterTurn(host, now) }
    return new Promise((resolve) => host.waiting.push({ since: now, resolve }))
  }

  function admit(name: string, host: Host): Admission {
    const begunAt = clock.now()
    const until = putOffUntil(host.breaker, { now: begunAt, underWay: host.underWay, fraction: fraction() })
    if (until !== undefined) return { putOffUntil: until }
    host.underWay++
    return {
      begunAt,
      leave: (isUp) => {
        const now = clock.now()
        host.underWay--
        const took = Math.min(Math.max(now - begunAt, 0), LONGEST_MS)
        host.tookMs += (took - host.tookMs) / 4
        host.breaker = afterAnswer(host.breaker, { isUp, begunAt, now })
        admitWaiting(name, host)
        remember(name, host)
      },
    }
  }

  function admitWaiting(name: string, host: Host): void {
    while (host.underWay < AT_ONCE) {
      const next = host.waiting.shift()
      if (next === undefined) return
      const now = clock.now()
      const isLate = now - next.since > LONGEST_WAIT_MS
      next.resolve(isLate ? { putOffUntil: laterTurn(host, now) } : admit(name, host))
    }
  }

  function remember(name: string, host: Host): void {
    known.delete(name)
    known.set(name, host)
    if (known.size > MAX_HOSTS) forgetOldest()
  }

  function forgetOldest(): void {
    for (const [name, host] of known) {
      if (isIdle(host)) return void known.delete(name)
    }
  }

  return {
    enter,
    forget: () => known.clear(),
    close: () => {
      isClosed = true
      for (const { waiting } of known.values()) {
        for (const { resolve } of waiting.splice(0)) resolve({ putOffUntil: clock.now() })
      }
    },
  }
}

function newHost(): Host {
  return { underWay: 0, waiting: [], breaker: CLOSED, tookMs: USUAL_MS, nextTurnAt: 0, turnToldAt: 0 }
}

function isIdle({ underWay, waiting }: Host): boolean {
  return underWay === 0 && waiting.length === 0
}

function hasRoom({ waiting, tookMs }: Host): boolean {
  return (waiting.length / AT_ONCE) * tookMs <= SHORT_WAIT_MS
}

/**
 * Deliveries that find no room come back one after the other, at the pace of the host. Turns that were told at a time
 * after now are forgotten: the clock was set back.
 */
function laterTurn(host: Host, now: number): number {
  if (now < host.turnToldAt) host.nextTurnAt = 0
  host.turnToldAt = now
  host.nextTurnAt = Math.max(host.nextTurnAt, now + SHORT_WAIT_MS) + host.tookMs / AT_ONCE
  return Math.round(host.nextTurnAt)
}
