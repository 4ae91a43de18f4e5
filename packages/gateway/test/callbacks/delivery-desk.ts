import type { CallbackAnswer } from '../../src/callbacks/callback-answer.ts'
import { type DelivererDependencies, deliverer } from '../../src/callbacks/deliverer.ts'
import { virtualClock } from '../../src/runtime/clock.ts'
import type { Delivery } from '../../src/store/delivery.ts'

/** A delivery that is due at once. */
export function delivery(given: Partial<Delivery> = {}): Delivery {
  const url = 'https://shop.example.com/cb?status=approved'
  return { id: 'd1', orderId: '1', url, createdAt: 0, dueAt: 0, made: 0, state: 'open', ...given }
}

/** What a shop answers: a status alone, a whole answer, or nothing. */
export type Reply = number | CallbackAnswer | Error

interface DeskOptions {
  readonly answer: (url: string) => Reply | Promise<Reply>
  readonly fraction?: number
  /** Default: a delivery is sent as it was written. */
  readonly beforeAttempt?: DelivererDependencies['beforeAttempt']
  readonly onLimit?: DelivererDependencies['onLimit']
}

const asItIs: DelivererDependencies['beforeAttempt'] = async (delivery) => ({ delivery, serialNumber: undefined })

/** Deliveries that are sent when they are due, on a clock that stands still until a test advances it. */
export function desk({ answer, fraction = 0.5, beforeAttempt = asItIs, onLimit = () => {} }: DeskOptions) {
  const clock = virtualClock(0)
  const rows = new Map<string, Delivery>()
  /** When each attempt began, in seconds. */
  const calledAt: number[] = []
  const called: string[] = []
  const heard: unknown[] = []
  /** What `onOutcome` was given: the number of attempts and the last answer. */
  const sent: string[] = []
  /** The addresses that `onOutcome` was given. */
  const told: string[] = []
  const send = async (url: string) => {
    calledAt.push(clock.now() / 1000)
    called.push(url)
    const reply = await answer(url)
    if (reply instanceof Error) throw reply
    return typeof reply === 'number' ? { status: reply } : reply
  }
  const work = deliverer({
    commit: async ({ attempts = [] }) => {
      for (const { delivery: each } of attempts) rows.set(each.id, each)
      return { ok: true }
    },
    clock,
    pause: async () => {},
    beforeAttempt,
    send,
    fraction: () => fraction,
    onLimit,
    onOutcome: ({ made, lastAnswer, url }) => {
      sent.push(`${made} ${lastAnswer}`)
      told.push(url)
    },
    onError: (error) => heard.push(error),
  })

  /** Sends what is due, as the agenda does: a claimed delivery is not due again until its outcome is written. */
  async function runDue(): Promise<void> {
    const due = [...rows.values()].filter(({ dueAt }) => dueAt !== undefined && dueAt <= clock.now())
    for (const each of due) rows.set(each.id, { ...each, dueAt: undefined })
    await Promise.all(due.map((each) => work.deliver(each)))
  }

  async function advance(seconds: number): Promise<void> {
    const end = clock.now() + seconds * 1000
    for (let next = nextDue(); next <= end; next = nextDue()) {
      await clock.advance(Math.max(0, next - clock.now()))
      await runDue()
    }
    await clock.advance(end - clock.now())
  }

  function nextDue(): number {
    return Math.min(...[...rows.values()].map(({ dueAt }) => dueAt ?? Number.POSITIVE_INFINITY))
  }

  return {
    ...work,
    clock,
    calledAt,
    called,
    heard,
    sent,
    told,
    advance,
    add: (given: Partial<Delivery> = {}) => {
      const added = delivery({ createdAt: clock.now(), dueAt: clock.now(), ...given })
      rows.set(added.id, added)
    },
    row: (id = 'd1') => rows.get(id),
    rows: () => [...rows.values()],
  }
}
