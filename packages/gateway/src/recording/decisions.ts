import type { Decide, WorkbenchDecision } from '@tallystick/core/internal'
import type { RealTime } from '../runtime/system.ts'

/** The way from a person at the workbench to the journals that take decisions. */
export interface Decisions {
  /** A journal in this process takes decisions from now on. The function returned ends that. */
  readonly onDecision: (decide: Decide) => () => void
  /** Whether any journal takes them. */
  readonly areTaken: () => boolean
  /** Resolves when a journal has written the decision. Rejects with what the person is told. */
  decide(decision: WorkbenchDecision): Promise<void>
  /**
   * A journal in another process asks what to decide, and says what became of what it was told before. Each keeps asking: one that
   * does not come back is forgotten.
   */
  next(asking: Asking): Promise<Told | undefined>
}

/** What a journal in another process says. */
interface Asking {
  /** Its own name. */
  readonly journal: string
  readonly answered?: { readonly id: number; readonly error?: string | undefined } | undefined
}

interface Told {
  readonly id: number
  readonly decision: WorkbenchDecision
}

/** Its timers keep no process alive. */
type Time = Pick<RealTime, 'every'>

/** How long a journal waits for something to decide before it asks again. */
const ASKED_FOR_MS = 20_000
/** After this a journal that has not asked again, or not answered, is taken for gone. */
const GONE_AFTER_MS = 10_000

export function decisions(time: Time): Decisions {
  const here = new Set<Decide>()
  const elsewhere = new Map<string, RemoteJournal>()

  function journalOf(name: string): RemoteJournal {
    const known = elsewhere.get(name)
    if (known !== undefined) return known
    const made = new RemoteJournal(time, () => elsewhere.delete(name))
    elsewhere.set(name, made)
    return made
  }

  return {
    onDecision: (decide) => {
      here.add(decide)
      return () => here.delete(decide)
    },
    areTaken: () => here.size + elsewhere.size > 0,
    decide: async (decision) => {
      const all = [...here, ...[...elsewhere.values()].map((journal) => journal.decide)]
      if (all.length === 0) throw new Error(NOBODY)
      // A journal of another shop does not know the intent, and refuses.
      const tried = await Promise.allSettled(all.map(async (decide) => await decide(decision)))
      const refused = tried.filter((one) => one.status === 'rejected')
      if (refused.length === tried.length) throw refused[0]?.reason
    },
    next: ({ journal, answered }) => journalOf(journal).next(answered),
  }
}

const NOBODY = 'no journal takes decisions from the workbench: give createJournal decisionsFromWorkbench: true'

/** A journal that asks over HTTP what to decide. */
class RemoteJournal {
  readonly #time: Time
  readonly #forget: () => void
  readonly #told = new Map<number, { readonly resolve: () => void; readonly reject: (error: Error) => void }>()
  #waiting: Told[] = []
  #wake: () => void = () => {}
  #asks = 0
  #ids = 0

  constructor(time: Time, forget: () => void) {
    this.#time = time
    this.#forget = forget
  }

  readonly decide: Decide = (decision) =>
    new Promise<void>((resolve, reject) => {
      const id = ++this.#ids
      this.#told.set(id, { resolve, reject })
      this.#after(GONE_AFTER_MS, () => this.#answered(id, 'the journal has not answered: look at the intent again'))
      this.#waiting.push({ id, decision })
      this.#wake()
    })

  async next(answered: Asking['answered']): Promise<Told | undefined> {
    const ask = ++this.#asks
    if (answered !== undefined) this.#answered(answered.id, answered.error)
    if (this.#waiting.length === 0) {
      await new Promise<void>((wake) => {
        this.#wake = wake
        this.#after(ASKED_FOR_MS, wake)
      })
    }
    this.#after(GONE_AFTER_MS, () => {
      if (this.#asks === ask) this.#forget()
    })
    return this.#waiting.shift()
  }

  #answered(id: number, error?: string): void {
    const { resolve, reject } = this.#told.get(id) ?? {}
    this.#told.delete(id)
    if (error === undefined) resolve?.()
    else reject?.(new Error(error))
  }

  #after(milliseconds: number, work: () => void): void {
    const stop = this.#time.every(milliseconds, () => {
      stop()
      work()
    })
  }
}
