import { StoreError } from '../store-error.ts'
import type { Database } from './database.ts'

/** Runs work within a transaction that it may share with others. */
export interface CommitQueue {
  /**
   * Resolves when what the work has written is durable. Work that throws takes nothing of the others with it. It may
   * run a second time, after all that the first time wrote was taken back.
   */
  run<Result>(work: () => Result): Promise<Result>
  /** Writes what waits, and takes nothing more. */
  close(): void
}

export interface CommitQueueOptions {
  readonly database: Database
  /** Runs what it is given once no more work is on its way in this turn. */
  readonly soon: (flush: () => void) => void
  /** Runs at the end of each transaction, within it. */
  readonly beforeCommit: () => void
  /** What was written since the last commit is not there. */
  readonly afterRollback: () => void
}

interface Job {
  /** Does the work, and gives what tells the caller once it is durable. */
  readonly run: () => () => void
  readonly fail: (error: unknown) => void
}

/** Most that share a commit: more would hold the event loop up for longer, and save nothing. */
const MOST_AT_ONCE = 256

/**
 * Many writers share one commit, because making it durable costs as much as writing for dozens of them. What comes
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

  /** All together; where anything fails, each by itself. */
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

  /** What can neither be written nor taken back leaves the store unusable: the file has it right at the next start. */
  function takeBack(): void {
    afterRollback()
    if (!database.isTransaction) return
    try {
      rollback.run()
    } catch {
      refusal = new StoreError('CLOSED', 'The store can be used no more: a transaction could not be taken back')
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
