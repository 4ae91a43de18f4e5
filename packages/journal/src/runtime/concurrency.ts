import type { Clock } from '@tallystick/client'
import type { Intent } from '@tallystick/client/ports'
import { afterThisTurn } from './system.ts'

interface Limit<Result> {
  readonly clock: Clock
  readonly limitMs: number
  /** Gives the result, or throws, if the work is late. */
  readonly late: () => Result
}

/**
 * The result of the work if it ends in time, else that of `late`. Late work goes on, and its result is ignored.
 *
 * The time passes in two halves, with a turn of the event loop in between: however far a clock jumps at once, work that needs no
 * time is not late.
 */
export async function inTime<Result>(
  work: () => Result | Promise<Result>,
  { clock, limitMs, late }: Limit<Result>,
): Promise<Result> {
  const { promise: isOver, resolve } = Promise.withResolvers<void>()
  let isDone = false
  const secondHalf = () => {
    if (!isDone) cancel = clock.schedule(limitMs / 2, resolve)
  }
  let cancel = clock.schedule(limitMs / 2, () => afterThisTurn(secondHalf))
  try {
    return await Promise.race([work(), isOver.then(late)])
  } finally {
    isDone = true
    cancel()
  }
}

/** Runs the calls of one name after another, in the order in which they came. */
type KeyedMutex = <Result>(name: string, call: () => Promise<Result>) => Promise<Result>

/**
 * A customer who presses twice is shown the answer to the second press. It has to come after that to the first one: until then
 * nobody knows more than that the payment is on its way, and there is no form to go to. A call in another process waits by
 * `waitWhileSent`.
 */
export function keyedMutex(): KeyedMutex {
  const lastCalls = new Map<string, Promise<unknown>>()
  return async (name, call) => {
    const before = lastCalls.get(name)
    const mine = before === undefined ? call() : before.then(call, call)
    lastCalls.set(name, mine)
    try {
      return await mine
    } finally {
      if (lastCalls.get(name) === mine) lastCalls.delete(name)
    }
  }
}

/** Asks the status of an intent, and gives the intent as it is then. */
export type StatusCheck = (intent: Intent) => Promise<Intent>

/** A caller who asks during a status check of the intent waits for that one: anybody can make many browsers return at once. */
export function singleFlight(check: StatusCheck): StatusCheck {
  const underWay = new Map<string, Promise<Intent>>()
  return (intent) => {
    const { intentId } = intent
    const begun = underWay.get(intentId) ?? check(intent).finally(() => underWay.delete(intentId))
    underWay.set(intentId, begun)
    return begun
  }
}

/** Calls that have begun and not ended. */
export class UnderWay {
  readonly #calls = new Set<Promise<unknown>>()

  /** Whether there are any. */
  get isAny(): boolean {
    return this.#calls.size > 0
  }

  /** Counts a call until it ends, whether it succeeds or fails. */
  async during<Result>(call: () => Promise<Result>): Promise<Result> {
    const running = call()
    this.#calls.add(running)
    try {
      return await running
    } finally {
      this.#calls.delete(running)
    }
  }

  /** Resolves when none is left, including those that begin meanwhile. */
  async ended(): Promise<void> {
    while (this.isAny) await Promise.allSettled(this.#calls)
  }
}

export function earliest(times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined)
  return known.length === 0 ? undefined : Math.min(...known)
}

/** The handler did not end in time. It may still be running: nothing that it was given may be used by anything else. */
export class HandlerTimeoutError extends Error {
  readonly code = 'HANDLER_TIMEOUT'
  /** Resolves when the handler has ended after all, however it did. */
  readonly #ended: Promise<void>

  constructor(what: string, limitMs: number, ended: Promise<void>) {
    super(`${what} did not end within ${limitMs} ms (handlerTimeoutMs); it is called again later`)
    this.name = 'HandlerTimeoutError'
    this.#ended = ended
  }

  get ended(): Promise<void> {
    return this.#ended
  }
}
