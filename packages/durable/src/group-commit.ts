import { mutex } from './mutex.ts'

interface Job {
  /** Does the work, and gives the function that tells the caller once it is durable. */
  readonly run: () => () => void
  readonly fail: (error: unknown) => void
}

export interface GroupCommitOptions {
  /** Calls the function once no more work is on its way in this turn of the event loop. */
  readonly soon: (flush: () => void) => void
  /** Begins a transaction. It may wait until the database is free. */
  readonly begin: () => void | Promise<void>
  readonly commit: () => void
  /** Called after a failure, also one to begin: nothing that was written since the last commit may stay. */
  readonly rollBack: () => void
  /** Whether no other transaction could begin either after a failure, so that all fail together. Default: never. */
  readonly endsAll?: (error: unknown) => boolean
}

/** How many writers share a commit at most: more would block the event loop longer, and save nothing. */
const MOST_AT_ONCE = 256

/**
 * Many writers share one commit, because making it durable costs as much as the writes of dozens of them. If one fails, each is done
 * again in a commit of its own. Work that comes while a commit is under way goes into the next. One transaction at a time is open.
 */
export class GroupCommit {
  readonly #options: GroupCommitOptions
  readonly #waiting: Job[] = []
  #isScheduled = false
  readonly #exclusively = mutex()

  constructor(options: GroupCommitOptions) {
    this.#options = options
  }

  /** Resolves when what the work has written is durable. The work may run a second time, after a rollback of the first. */
  run<Result>(work: () => Result): Promise<Result> {
    return new Promise((resolve, reject) => {
      const run = () => {
        const result = work()
        return () => resolve(result)
      }
      this.#waiting.push({ run, fail: reject })
      this.#schedule()
    })
  }

  /** Does work that takes time while nothing else is being written. Writes that wait go first: they wait for one such work at most. */
  alone<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#exclusively(async () => {
      await this.#flushWaiting()
      return await work()
    })
  }

  /** Resolves when nothing is being written any more. */
  async settled(): Promise<void> {
    while (this.#isScheduled || this.#waiting.length > 0) await new Promise<void>(this.#options.soon)
    await this.#exclusively(async () => {})
  }

  #schedule(): void {
    if (this.#isScheduled || this.#waiting.length === 0) return
    this.#isScheduled = true
    this.#options.soon(() => {
      void this.#exclusively(() => this.#flushWaiting()).finally(() => {
        this.#isScheduled = false
        this.#schedule()
      })
    })
  }

  /** Writes what waits, including what came while others had the database. */
  async #flushWaiting(): Promise<void> {
    const jobs = this.#waiting.splice(0, MOST_AT_ONCE)
    if (jobs.length > 0) await this.#flush(jobs)
  }

  /** All together; if one fails, each alone. */
  async #flush(jobs: readonly Job[]): Promise<void> {
    let committed: readonly (() => void)[]
    try {
      const begun = this.#options.begin()
      // Nothing else runs between the beginning of a transaction and its end, unless it had to wait.
      if (begun !== undefined) await begun
      committed = jobs.map((job) => job.run())
      this.#options.commit()
    } catch (error) {
      const failure = this.#rolledBack(error)
      if (jobs.length > 1 && this.#options.endsAll?.(error) !== true) for (const job of jobs) await this.#flush([job])
      else for (const job of jobs) job.fail(failure)
      return
    }
    for (const resolve of committed) resolve()
  }

  /** The reason of the failure, or that of the rollback if that fails as well. */
  #rolledBack(reason: unknown): unknown {
    try {
      this.#options.rollBack()
      return reason
    } catch (error) {
      return error
    }
  }
}
