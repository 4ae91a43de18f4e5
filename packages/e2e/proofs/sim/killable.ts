import type { Clock, Transport } from '@tallystick/client'
import type { JournalOutcome, JournalStore } from '@tallystick/client/ports'
import type { Random } from '@tallystick/proof-kit'

/** A process that may die at any of its awaits: from then on it does nothing and learns nothing. */
export interface Life {
  readonly isOver: () => boolean
  readonly over: Promise<void>
  /** Work that reaches beyond the process. It may be the last that the process does, or the first that it does not. */
  readonly step: <Result>(work: () => Promise<Result>) => Promise<Result>
}

/** @param lastStep the number of the step at which it dies; `undefined`: it lives on */
export function life(lastStep: number | undefined, random: Random, onDeath: () => void): Life {
  let steps = 0
  let isOver = false
  const { promise: over, resolve } = Promise.withResolvers<void>()
  const die = () => {
    isOver = true
    resolve()
    onDeath()
  }
  const never = <Result>() => new Promise<Result>(() => {})

  async function step<Result>(work: () => Promise<Result>): Promise<Result> {
    if (isOver) return await never()
    if (++steps !== lastStep) {
      const result = await work()
      return isOver ? await never() : result
    }
    const isDone = random.below(2) === 0
    if (isDone) await work().catch(() => {})
    if (!isOver) die()
    return await never()
  }
  return { isOver: () => isOver, over, step }
}

/** The transport of a process. What it has sent is on its way, whatever becomes of the process. */
export function killableTransport(transport: Transport, { step }: Life): Transport {
  return { send: (request, options) => step(() => transport.send(request, options)), close: async () => {} }
}

/** The clock of a process: a dead process runs none of its timers. */
export function killableClock({ now, schedule }: Clock, { isOver }: Life): Clock {
  return { now, schedule: (delayMs, task) => schedule(delayMs, () => isOver() || task()) }
}

/** What a handler writes, until its transaction ends. */
export type Effects = JournalOutcome[]

/**
 * The store of a process. A transaction that is open when the process dies is rolled back, as in a database; one that was
 * committed stays, even if the process never learns of it.
 *
 * @param pause awaited before something is done, and before its result is given
 */
export function killableStore(
  store: JournalStore,
  written: Effects,
  { step, isOver, over }: Life,
  pause: () => Promise<void>,
): JournalStore<Effects> {
  const slowly = <Result>(work: () => Promise<Result>) =>
    step(async () => {
      await pause()
      const result = await work()
      await pause()
      return result
    })
  const all = Object.entries(store).map(([name, method]) => [
    name,
    typeof method === 'function'
      ? (...args: unknown[]) => slowly(() => Promise.resolve<unknown>(Reflect.apply(method, store, args)))
      : method,
  ])
  const deliver: JournalStore<Effects>['deliver'] = (outcome, now, handler) =>
    slowly(async () => {
      const effects: Effects = []
      const handed = await store.deliver(outcome, now, async () => {
        await Promise.race([handler(effects), over])
        if (isOver()) throw new Error('The process is dead')
        // In the store the mark follows at once: the two are one transaction.
        written.push(...effects)
      })
      return handed
    })
  // No other method takes a transaction, or the simulation gives it none.
  return { ...(Object.fromEntries(all) as unknown as JournalStore<Effects>), deliver }
}
