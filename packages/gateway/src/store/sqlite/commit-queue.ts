import { StoreError } from '../store-error.ts'
import type { Database } from './database.ts'

/** Runs work within a transaction that it may share with others. */
export interface CommitQueue {
  /**
   * Resolves when what the work has written is durable. Work that throws does not harm the others. Work may run a second
   * time, after everything it wrote the first time was rolled back.
   */
  run<Result>(work: () => Result): Promise<Result>
  /** Does the work that waits, and accepts no more. */
  close(): void
}

interface CommitQueueOptions {
  readonly database: Database
  /** Runs `flush` once no more work is on its way in this turn of the event loop. */
  readonly soon: (flush: () => void) => void
  /** Runs at the end of each transaction, within it. */
  readonly beforeCommit: () => void
  /** Called after a rollback: what was written since the last commit is gone. */
  readonly afterRollback: () => void
}

interface Job {
  /** Does the work, and returns a function that reports the result to the caller. It is called once the work is durable. */
  readonly run: () => () => void
  readonly fail: (error: unknown) => void
}

/** The most jobs that share a commit: more would block the event loop for longer and save nothing. */
const MOST_AT_ONCE = 256

/**
 * Many writers share one commit, because making it durable costs as much as the writes of dozens of them. Work that comes
 * while a commit is under way goes into the next.
 */
export function commitQueue({ database, soon, beforeCommit, afterRollback }: CommitQueueOptions): CommitQueue {
  const waiting: Job[] = []
  let isScheduled = false
  let refusal: StoreError | undefined
  const begin = database.prepare('BEGIN IMMEDIATE')
  const commit = database.prepare('COMMIT')
  const rollback = database.prepare('ROLLBACK')

  function schedule(): void {
    if (isScheduled || waiting.length === 0) return
    isScheduled = true
    soon(() => {
      isScheduled = false
      flush(waiting.splice(0, MOST_AT_ONCE))
      schedule()
    })
  }

  /** Runs all jobs together; if anything fails, each by itself. */
  function flush(jobs: readonly Job[]): void {
    if (jobs.length === 0) return
    try {
      write(jobs)
    } catch (error) {
      const [only, another] = jobs
      if (only !== undefined && another === undefined) only.fail(error)
      else for (const job of jobs) flush([job])
    }
  }

  function write(jobs: readonly Job[]): void {
    if (refusal !== undefined) throw refusal
    let told: readonly (() => void)[]
    try {
      begin.run()
      told = jobs.map((job) => job.run())
      beforeCommit()
      commit.run()
    } catch (error) {
      takeBack()
      throw error
    }
    for (const tell of told) tell()
  }

  /** A transaction that can neither be committed nor rolled back leaves the store unusable. A restart finds the file sound. */
  function takeBack(): void {
    afterRollback()
    if (!database.isTransaction) return
    try {
      rollback.run()
    } catch {
      refusal = new StoreError(
        'CLOSED',
        'The store is no longer usable: a transaction could not be rolled back; restart the gateway',
      )
    }
  }

  return {
    run: (work) =>
      new Promise((resolve, reject) => {
        if (refusal !== undefined) return reject(refusal)
        const run = () => {
          const result = work()
          return () => resolve(result)
        }
        waiting.push({ run, fail: reject })
        schedule()
      }),
    close: () => {
      while (waiting.length > 0) flush(waiting.splice(0, MOST_AT_ONCE))
      refusal ??= new StoreError('CLOSED', 'The store is closed')
    },
  }
}
