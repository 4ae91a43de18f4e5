import { GroupCommit } from '@tallystick/durable/group-commit'
import { StoreError } from '../store-error.ts'
import type { Database } from './database.ts'

/** Runs work within a transaction that it may share with others. */
interface CommitQueue {
  /**
   * Resolves when what the work has written is durable. Work that throws does not harm the others. Work may run a second
   * time, after everything it wrote the first time was rolled back.
   */
  run<Result>(work: () => Result): Promise<Result>
  /** Accepts no more. Resolves when the work that waits is done. */
  close(): Promise<void>
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

export function commitQueue({ database, soon, beforeCommit, afterRollback }: CommitQueueOptions): CommitQueue {
  let isClosed = false
  let refusal: StoreError | undefined
  const begin = database.prepare('BEGIN IMMEDIATE')
  const commit = database.prepare('COMMIT')
  const rollback = database.prepare('ROLLBACK')

  /** A transaction that can neither be committed nor rolled back leaves the store unusable. A restart finds the file sound. */
  function rollBack(): void {
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

  const group = new GroupCommit({
    soon,
    begin: () => {
      if (refusal !== undefined) throw refusal
      begin.run()
    },
    commit: () => {
      beforeCommit()
      commit.run()
    },
    rollBack,
  })

  return {
    run: async (work) => {
      if (isClosed) throw new StoreError('CLOSED', 'The store is closed')
      if (refusal !== undefined) throw refusal
      return await group.run(work)
    },
    close: async () => {
      isClosed = true
      await group.settled()
    },
  }
}
