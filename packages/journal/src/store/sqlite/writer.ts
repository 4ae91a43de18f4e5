import { AsyncLocalStorage } from 'node:async_hooks'
import { afterThisTurn, type Waiting } from '../../runtime/system.ts'
import { aloneOn, type Connection, inPlace } from './connection.ts'
import { PATIENCE_MS, whenFree } from './open-connection.ts'

interface Job {
  /** Does the work, and gives the function that tells the caller once it is durable. */
  readonly run: () => () => void
  readonly fail: (error: unknown) => void
}

/** How many writes share a commit at most: more would block the event loop longer, and save nothing. */
const MOST_AT_ONCE = 256

/**
 * Writes to a file that other processes write to as well. Many callers share one commit, because making it durable costs as
 * much as the writes of dozens of them. If one fails, each is done again in a commit of its own. One transaction at a time is
 * open in this process; the others wait without blocking the event loop.
 */
export class Writer {
  readonly #connection: Connection
  readonly #waits: Waiting
  readonly #requireInPlace: () => void
  readonly #requireAlone: () => void
  readonly #waiting: Job[] = []
  #isScheduled = false
  /** Set within the work of `around`: another write there would wait for that work itself. */
  readonly #within = new AsyncLocalStorage<{ isOver: boolean }>()
  /** The end of the transaction before. */
  #turn: Promise<unknown> = Promise.resolve()

  constructor(connection: Connection, waits: Waiting) {
    this.#connection = connection
    this.#waits = waits
    this.#requireInPlace = inPlace(connection)
    this.#requireAlone = aloneOn(connection, waits.now)
  }

  /** Resolves when what the work has written is durable. The work may run a second time, after a rollback of the first. */
  async run<Result>(work: (connection: Connection) => Result): Promise<Result> {
    if (this.#within.getStore()?.isOver === false)
      throw new Error('The handler must not wait for the journal: end it first')
    return await new Promise((resolve, reject) => {
      const run = () => {
        const result = work(this.#connection)
        return () => resolve(result)
      }
      this.#waiting.push({ run, fail: reject })
      this.#schedule()
    })
  }

  /**
   * A transaction on another connection, around work that takes time. Work that is overdue loses the connection. Writes that wait
   * go first: payments wait for one handler, not for all that are due.
   */
  around<Result>(
    current: () => Promise<Connection>,
    work: (connection: Connection) => Promise<Result>,
  ): Promise<Result> {
    return this.#inTurn(async () => {
      await this.#flushWaiting()
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
  async settled(): Promise<void> {
    while (this.#isScheduled || this.#waiting.length > 0) await new Promise<void>((resolve) => afterThisTurn(resolve))
    await this.#turn
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.#turn.then(work)
    this.#turn = turn.catch(() => {})
    return turn
  }

  #schedule(): void {
    if (this.#isScheduled || this.#waiting.length === 0) return
    this.#isScheduled = true
    afterThisTurn(() => {
      void this.#inTurn(() => this.#flushWaiting()).finally(() => {
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

  /** All together; if one fails, each alone. If the transaction cannot begin, all fail: no other could begin either. */
  async #flush(jobs: readonly Job[]): Promise<void> {
    try {
      await this.#begin(this.#connection)
    } catch (error) {
      for (const job of jobs) job.fail(error)
      return
    }
    try {
      this.#write(jobs)
    } catch (error) {
      const [only, another] = jobs
      if (only !== undefined && another === undefined) only.fail(error)
      else for (const job of jobs) await this.#flush([job])
    }
  }

  #write(jobs: readonly Job[]): void {
    try {
      const told = jobs.map((job) => job.run())
      this.#commit(this.#connection)
      for (const tell of told) tell()
    } catch (error) {
      rollBack(this.#connection)
      throw error
    }
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
    `${database.location()} has been held by another transaction for ${PATIENCE_MS / 1000} s: end yours before you wait for the ` +
      "journal; what belongs to an outcome is written by the handler's transaction",
    { cause },
  )
}

/** Rolls back, unless the connection was closed: that has rolled back already. */
function rollBack({ database }: Connection): void {
  if (database.isOpen && database.isTransaction) database.exec('ROLLBACK')
}
