import { background } from '../background.ts'
import type { Clock } from '../clock.ts'
import type { Change, Committed } from '../store/store.ts'
import { afterAttempt, putOff, withdrawn } from './after-attempt.ts'
import type { Attempted, Delivery } from './delivery.ts'
import type { BeforeAttempt } from './delivery-now.ts'
import { hosts } from './hosts.ts'
import { type CallbackAnswer, type NoAnswer, noAnswer } from './send-callback.ts'

export interface Deliverer {
  /**
   * Sends a claimed delivery, or puts it off if its host must not be called now, and writes the result to the store. Resolves
   * when it is written: within 40 seconds, if the sender keeps to its 15. Never throws: a delivery whose result was not written
   * is due again when the claim on it ends.
   */
  deliver(delivery: Delivery): Promise<void>
  /** Resolves when no callback is under way any more. */
  settled(): Promise<void>
  /** Forgets all it knows about the hosts: for test environments, while nothing is under way. */
  forgetHosts(): void
  /** Sends nothing new, and resolves when what is under way is written. */
  close(): Promise<void>
}

export interface DelivererDependencies {
  readonly commit: (change: Change) => Promise<Committed>
  readonly clock: Clock
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

export function deliverer({
  commit,
  clock,
  beforeAttempt,
  send,
  fraction,
  onOutcome,
  onError,
}: DelivererDependencies): Deliverer {
  const turns = hosts({ clock, fraction })
  const work = background(onError)

  async function attempt(delivery: Delivery): Promise<Delivery> {
    const turn = await turns.enter(hostOf(delivery.url))
    if ('putOffUntil' in turn) return putOff(delivery, turn.putOffUntil, clock.now())
    const answer = await answerOf(delivery)
    turn.leave(isUp(answer))
    return afterAttempt(delivery, { begunAt: turn.begunAt, answer, now: clock.now(), fraction: fraction() })
  }

  async function answerOf(delivery: Delivery): Promise<CallbackAnswer | NoAnswer> {
    try {
      const { status, retryAfter } = await send(delivery.url, delivery)
      return { status, retryAfter }
    } catch (error) {
      return noAnswer(error)
    }
  }

  async function write(attempted: Attempted): Promise<void> {
    const committed = await commit({ attempts: [attempted] })
    if (!committed.ok) throw new Error(`The outcome of a callback was not written (${committed.conflict})`)
  }

  return {
    deliver: (delivery) =>
      work.runToEnd(async () => {
        const { delivery: current, serialNumber } = await beforeAttempt(delivery)
        await work.runToEnd(async () => {
          const after = current === undefined ? withdrawn(delivery) : await attempt(current)
          await write({ delivery: { ...after, url: delivery.url }, claimedUntil: delivery.dueAt })
          if (after.made > delivery.made || after.state !== 'open') onOutcome(after, serialNumber)
        }, serialNumber)
      }),
    settled: work.settled,
    forgetHosts: turns.forget,
    close: async () => {
      turns.close()
      await work.settled()
    },
  }
}

/** Host and port: another port may well belong to another shop. */
function hostOf(url: string): string {
  return URL.parse(url)?.host.replace(/\.(?=:|$)/, '') ?? ''
}

/** Whether the host is up and keeps up, even if it refuses this callback. */
function isUp(answer: CallbackAnswer | NoAnswer): boolean {
  return 'status' in answer && answer.status < 500 && answer.status !== 429
}
