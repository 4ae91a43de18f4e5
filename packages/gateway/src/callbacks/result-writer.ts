import type { Attempted, Delivery } from '../store/delivery.ts'
import type { Change, CommitResult } from '../store/store.ts'

/** The claim that an attempt is made under. It may be renewed until the result is written. */
export interface Claim {
  until: number | undefined
}

/** A delivery after an attempt, to be written under its claim. */
interface Result {
  readonly delivery: Delivery
  readonly claim: Claim
}

interface Waiting extends Result {
  readonly tell: () => void
  readonly fail: (error: unknown) => void
}

interface ResultWriterDependencies {
  readonly commit: (change: Change) => Promise<CommitResult>
  /** How many attempts are under way, with those whose results wait here. */
  readonly underWay: () => number
  /** Waits so many milliseconds of the machine's time, whatever a test's clock says. */
  readonly pause: (milliseconds: number) => Promise<unknown>
  /** Resolves when nothing is being claimed: a claim that has ended may be taken over just now. */
  readonly claimed: () => Promise<unknown>
  readonly hasEnded: (claim: Claim) => boolean
}

/** How long a result waits for others. If the process ends meanwhile, its callback is sent again. */
const WAITS_MS = 50
const MOST_TOGETHER = 64

/**
 * Writes the results of attempts. While other attempts are under way a result waits for theirs, because a commit costs as much as
 * dozens of results.
 *
 * @returns resolves when the result is written
 * @throws what the store throws
 */
export function resultWriter(dependencies: ResultWriterDependencies): (result: Result) => Promise<void> {
  const { commit, underWay, pause, claimed, hasEnded } = dependencies
  let waiting: Waiting[] = []

  async function writeNow(results: readonly Result[]): Promise<void> {
    if (results.some(({ claim }) => hasEnded(claim))) await claimed()
    const attempts = results.map(({ delivery, claim }): Attempted => ({ delivery, claimedUntil: claim.until }))
    const committed = await commit({ attempts })
    if (!committed.ok) throw new Error(`The outcome of a callback was not written (${committed.conflict})`)
  }

  /** If they cannot be written together, as when one of the orders was deleted, each is written by itself. */
  async function flush(results: readonly Waiting[]): Promise<void> {
    try {
      await writeNow(results)
      for (const { tell } of results) tell()
    } catch (error) {
      if (results.length === 1) for (const { fail } of results) fail(error)
      else await Promise.all(results.map((each) => flush([each])))
    }
  }

  function take(): readonly Waiting[] {
    const taken = waiting
    waiting = []
    return taken
  }

  async function flushLater(first: Waiting): Promise<void> {
    await pause(WAITS_MS)
    if (waiting[0] === first) await flush(take())
  }

  return (result) =>
    new Promise((tell, fail) => {
      const each = { ...result, tell, fail }
      waiting.push(each)
      if (waiting.length >= Math.min(underWay(), MOST_TOGETHER)) void flush(take())
      else if (waiting.length === 1) void flushLater(each)
    })
}
