import { maskCardNumbers } from '@tallystick/core'
import type { CallbackEvent } from '../events.ts'
import type { Clock } from '../runtime/clock.ts'
import { realTime } from '../runtime/system.ts'
import { background } from '../runtime/tasks.ts'
import type { Delivery } from '../store/delivery.ts'
import type { Change, CommitResult } from '../store/store.ts'
import type { CallbackAnswer, NoAnswer } from './callback-answer.ts'
import { type HostLimiterDependencies, hostLimiter } from './host-limiter.ts'
import { type Claim, resultWriter } from './result-writer.ts'
import { afterAttempt, putOff, withdrawn } from './retry.ts'

export interface Deliverer {
  /** An attempt whose claim has ended is not written while others are claimed and passed to `deliver`: it may be among them. */
  whileClaiming<Result>(claim: () => Promise<Result>): Promise<Result>
  /**
   * Sends a claimed delivery, or puts it off if its host must not be called now, and writes the result to the store. Resolves
   * when it is written: within 40 seconds, if the sender keeps to its 15. Never throws: a delivery whose result was not written
   * is due again when the claim on it ends.
   *
   * @param written Of a delivery that was claimed as it was written: it is sent as it is, without `beforeAttempt`
   */
  deliver(delivery: Delivery, written?: Reported): Promise<void>
  /** Resolves when no callback is under way any more. */
  settled(): Promise<void>
  /** Forgets all it knows about the hosts: for test environments, while nothing is under way. */
  forgetHosts(): void
  /** Sends nothing new, and resolves when what is under way is written. */
  close(): Promise<void>
}

export interface DelivererDependencies extends Pick<HostLimiterDependencies, 'limits' | 'onLimit'> {
  readonly commit: (change: Change) => Promise<CommitResult>
  readonly clock: Clock
  /** Waits so many milliseconds of the machine's time. Default: does so. */
  readonly pause?: (milliseconds: number) => Promise<unknown>
  /** By how much the clock may be ahead, in milliseconds: no delivery is given up for that time. Default: by nothing. */
  readonly aheadMs?: () => number
  /** The delivery as it must be sent now. */
  readonly beforeAttempt: (delivery: Delivery) => Promise<BeforeAttempt>
  /** Calls the address of a delivery: a `SendCallback`, or a wrapper around one. */
  readonly send: (url: string, delivery: Delivery) => Promise<CallbackAnswer>
  /** A number from 0 to 1, for jitter. */
  readonly fraction: () => number
  /** Called after each attempt, and when a delivery is over without another one. */
  readonly onOutcome: (after: Delivery, serialNumber: string | undefined) => void
  /** Called with a failure to write an outcome, and with what a listener threw. */
  readonly onError: (error: unknown, serialNumber?: string) => void
}

/** How long until a callback is sent again that we had no file, memory or port for, at least. */
const OWN_FAILURE_MS = 5000

interface Begun {
  readonly claim: Claim
  readonly ended: Promise<void>
  readonly url: string
}

export function deliverer({
  commit,
  clock,
  pause = realTime.pause,
  aheadMs = () => 0,
  beforeAttempt,
  send,
  fraction,
  onOutcome,
  onError,
  ...limiting
}: DelivererDependencies): Deliverer {
  const turns = hostLimiter({ clock, fraction, ...limiting })
  const work = background(onError)
  const underWay = new Map<string, Begun>()
  let claiming: Promise<unknown> = Promise.resolve()
  const write = resultWriter({ commit, pause, underWay: () => underWay.size, claimed: () => claiming, hasEnded })

  async function attempt(delivery: Delivery, login: string): Promise<Delivery> {
    const turn = await turns.enter({ login, host: hostOf(delivery.url) })
    if ('putOffUntil' in turn) return putOff(delivery, turn.putOffUntil, clock.now(), aheadMs())
    const answer = await answerOf(delivery)
    turn.leave(verdictOf(answer))
    const { begunAt } = turn
    const now = clock.now()
    if (isOwnFailure(answer)) {
      limiting.onLimit?.({ limit: 'own-resources' })
      const begun = { ...delivery, firstAt: delivery.firstAt ?? begunAt }
      return putOff(begun, Math.round(now + OWN_FAILURE_MS * (1 + fraction())), now, aheadMs())
    }
    return afterAttempt(delivery, { begunAt, answer, now, aheadMs: aheadMs(), fraction: fraction() })
  }

  async function answerOf(delivery: Delivery): Promise<CallbackAnswer | NoAnswer> {
    try {
      const { status, retryAfter } = await send(delivery.url, delivery)
      return { status, retryAfter }
    } catch (error) {
      return noAnswer(error)
    }
  }

  function hasEnded({ until }: Claim): boolean {
    return until !== undefined && until <= clock.now()
  }

  async function carryOut(delivery: Delivery, claim: Claim, written: Reported | undefined): Promise<void> {
    const attempting = written === undefined ? await beforeAttempt(delivery) : { delivery, ...written }
    const { delivery: current, serialNumber, login = '' } = attempting
    await work.runToEnd(async () => {
      const after = current === undefined ? withdrawn(delivery, clock.now()) : await attempt(current, login)
      await write({ delivery: { ...after, url: delivery.url }, claim })
      if (after.made > delivery.made || after.state !== 'open') onOutcome(after, serialNumber)
    }, serialNumber)
  }

  function begin(delivery: Delivery, written?: Reported): Promise<void> {
    const { id, dueAt: until } = delivery
    const claim: Claim = { until }
    const ended = work.runToEnd(() => carryOut(delivery, claim, written))
    const begun = { claim, ended, url: delivery.url }
    underWay.set(id, begun)
    return ended.finally(() => {
      if (underWay.get(id) === begun) underWay.delete(id)
    })
  }

  /**
   * Finds the attempt that outlasted its claim, as when a virtual clock skips an hour meanwhile. It goes on under the new claim,
   * so that the shop is not called twice. It does so once, because a sender may never end.
   */
  function outlasting({ id, url, dueAt: until }: Delivery): Promise<void> | undefined {
    const begun = underWay.get(id)
    // The outcome has replaced an `unknown` that is still on its way: the shop has not heard of it.
    if (begun === undefined || begun.url !== url || !hasEnded(begun.claim)) return undefined
    begun.claim.until = until
    underWay.delete(id)
    return begun.ended
  }

  return {
    whileClaiming: async (claim) => {
      const result = claim()
      claiming = result.catch(() => {})
      return await result
    },
    deliver: (delivery, written) => outlasting(delivery) ?? begin(delivery, written),
    settled: work.settled,
    forgetHosts: turns.forget,
    close: async () => {
      turns.close()
      await work.settled()
    },
  }
}

/** Host and port, which the scheme gives if the address does not: another port may well belong to another shop. */
function hostOf(url: string): string {
  return URL.parse(url)?.origin.replace(/\.(?=:|$)/, '') ?? ''
}

/** A host is up and keeps up even if it refuses this callback. */
function verdictOf(answer: CallbackAnswer | NoAnswer) {
  if ('status' in answer) return answer.status < 500 && answer.status !== 429 ? 'up' : 'down'
  if (isOwnFailure(answer)) return 'unknown'
  return isUnreachable(answer) ? 'unreachable' : 'down'
}

/** What a delivery reports, and to whom. */
interface Reported {
  /** Of the operation. */
  readonly serialNumber: string | undefined
  /** The merchant's. Absent if the order is no longer stored. */
  readonly login?: string
}

interface BeforeAttempt extends Reported {
  /** `undefined`: no address is configured for it any more. */
  readonly delivery: Delivery | undefined
}

/** The report of a delivery that was sent, or is over. */
export function deliveryReport(delivery: Delivery, serialNumber: string | undefined): CallbackEvent {
  const { orderId, lastAnswer = '', state, made, dueAt } = delivery
  return { serialNumber, orderId, address: shownAddress(delivery), answer: lastAnswer, state, made, dueAt }
}

/** Where a callback goes, without its query. The merchant wrote the address: it may contain a card number, even an encoded one. */
export function shownAddress({ url }: Delivery): string {
  const address = url.replace(/[?#].*/s, '')
  const text = decoded(address)
  const masked = maskCardNumbers(text)
  return masked === text ? address : encodeURI(masked)
}

function decoded(address: string): string {
  try {
    return decodeURIComponent(address)
  } catch {
    return address
  }
}

const CODE = /^[A-Z][A-Z0-9_]{1,63}$/

/** Why there was no answer. Never the error's message: it may hold the address, with the payer's name in it. */
export function noAnswer(error: unknown): NoAnswer {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ADDRESS_NOT_ALLOWED') return { reason: 'address not allowed' }
  if (typeof code !== 'string' || !CODE.test(code)) return { reason: 'no answer' }
  const hint = HINTS.find(([codes]) => codes.test(code))?.[1]
  return { reason: hint === undefined ? code : `${code}: ${hint}` }
}

/** What is wrong with a certificate, and who can mend it. */
const HINTS = [
  [
    /SELF_SIGNED_CERT|UNABLE_TO_(?:VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT)/,
    "no authority that Node knows has signed the shop's certificate; the shop sends an incomplete chain, or NODE_EXTRA_CA_CERTS has to name the file of its authority",
  ],
  [/CERT_HAS_EXPIRED/, "the shop's certificate has expired, or the clock of this machine is wrong"],
  [/ERR_TLS_CERT_ALTNAME_INVALID/, "the shop's certificate is of another host name"],
] as const

/** This machine has no file, memory, port or name server left: it says nothing about the host, and is no attempt. */
const OWN_FAILURES: ReadonlySet<string> = new Set([
  'EMFILE',
  'ENFILE',
  'ENOMEM',
  'ENOBUFS',
  'EADDRNOTAVAIL',
  'NO_NAME_SERVER',
])

function isOwnFailure(answer: CallbackAnswer | NoAnswer): boolean {
  return 'reason' in answer && OWN_FAILURES.has(answer.reason)
}

/** No connection came about. A time-out is not among these: the path that a merchant named may be what is slow. */
const UNREACHABLE: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'ENOTFOUND',
  'ENODATA',
  'ESERVFAIL',
])

function isUnreachable({ reason }: NoAnswer): boolean {
  return UNREACHABLE.has(reason)
}
