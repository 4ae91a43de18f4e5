import type { Clock } from '../clock.ts'
import { afterAnswer, type Breaker, CLOSED, putOffUntil } from './breaker.ts'

/** Whose turn it is with a host. Only this process knows; what it forgets costs an attempt, never a delivery. */
export interface Hosts {
  /** Resolves when a delivery may be sent to the host, or with the time until which it is put off. */
  enter(host: string): Promise<Admission>
  /** Forgets all it knows about the hosts, even which are down. Only while nothing is under way. */
  forget(): void
  /** Puts off to now all deliveries that wait and all that come from now on. */
  close(): void
}

export type Admission = Turn | { readonly putOffUntil: number }

export interface Turn {
  readonly begunAt: number
  /** To be called when the attempt has ended. */
  leave(isUp: boolean): void
}

export interface HostsDependencies {
  readonly clock: Clock
  /** A number from 0 to 1. */
  readonly fraction: () => number
}

/** Attempts under way at once per host, so that a slow host takes neither the others' room nor all of ours. */
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

interface Host {
  underWay: number
  readonly waiting: Waiting[]
  breaker: Breaker
  /** How long an attempt takes here: a moving average. */
  tookMs: number
  /** The time to which the last delivery that found no room was put off. */
  nextTurnAt: number
  /** When that was done. */
  turnGivenAt: number
}

interface Waiting {
  readonly since: number
  readonly resolve: (admission: Admission) => void
}

export function hosts({ clock, fraction }: HostsDependencies): Hosts {
  /** The most recently used last. */
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
  return { underWay: 0, waiting: [], breaker: CLOSED, tookMs: USUAL_MS, nextTurnAt: 0, turnGivenAt: 0 }
}

function isIdle({ underWay, waiting }: Host): boolean {
  return underWay === 0 && waiting.length === 0
}

function hasRoom({ waiting, tookMs }: Host): boolean {
  return (waiting.length / AT_ONCE) * tookMs <= SHORT_WAIT_MS
}

/**
 * Deliveries that find no room come back one after the other, at the pace of the host. If the last turn was given at a time
 * after now, the clock was set back, and that turn is forgotten.
 */
function laterTurn(host: Host, now: number): number {
  if (now < host.turnGivenAt) host.nextTurnAt = 0
  host.turnGivenAt = now
  host.nextTurnAt = Math.max(host.nextTurnAt, now + SHORT_WAIT_MS) + host.tookMs / AT_ONCE
  return Math.round(host.nextTurnAt)
}
