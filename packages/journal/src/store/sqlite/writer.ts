import { AsyncLocalStorage } from 'node:async_hooks'
import { fileInPlace } from '@tallystick/durable/file-guard'
import { GroupCommit } from '@tallystick/durable/group-commit'
import { afterThisTurn, type Waiting } from '../../runtime/system.ts'
import { aloneOn, type Connection, isHeld, RETRY_FOR_MS, whenFree } from './connection.ts'

/**
 * Writes to a file that other processes write to as well. One transaction at a time is open in this process; the others wait
 * without blocking the event loop.
 */
export class Writer {
  readonly #connection: Connection
  readonly #waits: Waiting
  readonly #requireInPlace: () => void
  readonly #requireAlone: () => void
  readonly #group: GroupCommit
  /** Set within the work of `around`: another write there would wait for that work itself. */
  readonly #within = new AsyncLocalStorage<{ isOver: boolean }>()

  constructor(connection: Connection, waits: Waiting) {
    this.#connection = connection
    this.#waits = waits
    this.#requireInPlace = inPlace(connection)
    this.#requireAlone = aloneOn(connection, waits.now)
    this.#group = new GroupCommit({
      soon: afterThisTurn,
      begin: () => this.#begin(connection),
      commit: () => this.#commit(connection),
      rollBack: () => rollBack(connection),
      endsAll: isHeld,
    })
  }

  /** Resolves when what the work has written is durable. The work may run a second time, after a rollback of the first. */
  async run<Result>(work: (connection: Connection) => Result): Promise<Result> {
    if (this.#within.getStore()?.isOver === false)
      throw new Error('The handler must not wait for the journal: end it first')
    return await this.#group.run(() => work(this.#connection))
  }

  /**
   * A transaction on another connection, around work that takes time. Work that is overdue loses the connection. Writes that wait
   * go first: payments wait for one handler, not for all that are due.
   */
  around<Result>(
    current: () => Promise<Connection>,
    work: (connection: Connection) => Promise<Result>,
  ): Promise<Result> {
    return this.#group.alone(async () => {
      const connection = await current()
      await this.#begin(connection)
      const within = { isOver: false }
      try {
        const result = await this.#within.run(within, () => work(connection))
        this.#commit(connection)
        return result
      } catch (error) {
        rollBack(connection)
        throw error
      } finally {
        within.isOver = true
      }
    })
  }

  /** Whether no other SQLite library of this process has the file. */
  isAlone(): boolean {
    try {
      aloneOn(this.#connection, this.#waits.now)()
      return true
    } catch {
      return false
    }
  }

  /** Resolves when nothing is being written any more. */
  settled(): Promise<void> {
    return this.#group.settled()
  }

  #commit({ database }: Connection): void {
    this.#requireInPlace()
    this.#requireAlone()
    database.exec('COMMIT')
  }

  async #begin(connection: Connection): Promise<void> {
    const held = (error: unknown) => heldError(connection.database, error)
    await whenFree(() => connection.begin(), this.#waits, held)
  }
}

/** No other process takes so long: it must be a transaction of the caller's, which waits for the journal and so for itself. */
function heldError(database: Connection['database'], cause: unknown): Error {
  return new Error(
    `${database.location()} has been held by another transaction for ${RETRY_FOR_MS / 1000} s: end yours before you wait for the ` +
      "journal; what belongs to an outcome is written by the handler's transaction",
    { cause },
  )
}

/** Rolls back, unless the connection was closed: that has rolled back already. */
function rollBack({ database }: Connection): void {
  if (database.isOpen && database.isTransaction) database.exec('ROLLBACK')
}

/**
 * Makes sure that the file and its log are still where they were opened. If an operator removes or replaces them under a running
 * shop, at its next start the shop would have forgotten what it sent.
 *
 * @returns a check that throws an Error with the name of the file that is gone
 */
function inPlace({ database, library }: Connection): () => void {
  return fileInPlace(
    database.location() ?? '',
    (name) =>
      new Error(
        `${library.caller}: ${name} was removed or replaced while it is open, and what is written to it would be forgotten: ` +
          'put it back where it was, or stop the shop and start it anew',
      ),
  )
}
