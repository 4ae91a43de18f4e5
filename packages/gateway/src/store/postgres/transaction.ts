import { StoreError } from '../store-error.ts'
import { failureOf, LostError, PartlyDoneError, query, takeFrom } from './connection-errors.ts'
import type { Connection, Connections } from './connections.ts'
import { CollisionError, LONGEST_PAUSE_MS, type Retries, withRetries } from './retry.ts'
import type { Answer, Statement } from './statement.ts'

/**
 * The work of a transaction. It yields statements to send together, as often as it needs, and returns whether to keep it all.
 * Being a generator, it cannot wait for anything else: no other call over a network is ever made while a transaction is
 * open, and work that yields anything but statements fails.
 */
export type Work<Result> = Generator<readonly Statement[], Ending<Result>, readonly Answer[]>

interface Ending<Result> {
  /** Commit, or roll back. */
  readonly keep: boolean
  readonly result: Result
}

/** A part of the work, with a result of its own. */
export type Step<Result> = Generator<readonly Statement[], Result, readonly Answer[]>

/** Finds out the outcome of a commit whose answer was lost. */
export interface Marks {
  /** A mark for one transaction, which its statement writes. */
  next(): { readonly statement: Statement; readonly number: number }
  /** Waits for the transaction with that mark to end, and returns whether it was committed. */
  wasKept(number: number, connection: Connection): Promise<boolean>
}

export interface TransactionTools extends Retries {
  readonly connections: Connections
  /** Absent: the work itself finds out what is there when it is done again. */
  readonly marks?: Marks
  /** What every transaction does first. */
  readonly opening: readonly Statement[]
}

/** The server was lost while it committed. */
class InDoubtError extends Error {
  override readonly name = 'InDoubtError'
  readonly mark: number
  readonly result: unknown

  constructor(mark: number, result: unknown) {
    super('the answer to COMMIT was lost')
    this.mark = mark
    this.result = result
  }
}

/**
 * Does the work in a transaction, and repeats it from its beginning while that helps: others wrote the same, or the
 * connection was lost.
 *
 * @throws StoreError `UNREACHABLE` if the server stayed away. Nothing of the work was kept, unless the error is an
 *   `UnknownOutcomeError`
 */
export function transact<Result>(work: () => Work<Result>, tools: TransactionTools): Promise<Result> {
  return withRetries(async (until) => {
    try {
      return await attempt(work, tools)
    } catch (error) {
      if (!(error instanceof InDoubtError)) throw error
      if (!(await wasKept(error.mark, tools, until)))
        throw new CollisionError('The server was lost before it committed')
      // It is the result of this very work.
      return error.result as Result
    }
  }, tools)
}

async function attempt<Result>(work: () => Work<Result>, tools: TransactionTools): Promise<Result> {
  const connection = await takeFrom(tools.connections)
  let isBroken = false
  try {
    return await within(connection, work(), tools)
  } catch (error) {
    isBroken = error instanceof LostError || error instanceof InDoubtError || !(await isRolledBack(connection))
    throw error instanceof PartlyDoneError ? error.cause : error
  } finally {
    connection.release(isBroken)
  }
}

const BEGIN: Statement = { text: 'BEGIN' }
const COMMIT: Statement = { text: 'COMMIT' }
const ROLLBACK: Statement = { text: 'ROLLBACK' }

async function within<Result>(connection: Connection, work: Work<Result>, tools: TransactionTools): Promise<Result> {
  const mark = tools.marks?.next()
  let first: readonly Statement[] = [BEGIN, ...tools.opening, ...(mark === undefined ? [] : [mark.statement])]
  let step = work.next([])
  while (step.done !== true) {
    const opening = first
    first = []
    try {
      const answers = await queryAll(connection, [...opening, ...statementsOf(step.value)])
      step = work.next(answers.slice(opening.length))
    } catch (error) {
      if (!(error instanceof PartlyDoneError)) throw error
      // The work may know why. It can end, or roll back to a savepoint and go on.
      step = work.throw(new PartlyDoneError(error.answers.slice(opening.length), error.cause))
    }
  }
  const { keep, result } = step.value
  if (first.length === 0) await end(connection, { keep, result }, mark?.number)
  return result
}

/** The guard: there is nothing to wait for within a transaction but the database. */
function statementsOf(yielded: readonly Statement[]): readonly Statement[] {
  if (Array.isArray(yielded) && yielded.every((each) => typeof each?.text === 'string')) return yielded
  throw new TypeError('Only statements may be waited for while a transaction is open')
}

async function end<Result>(connection: Connection, { keep, result }: Ending<Result>, mark?: number): Promise<void> {
  if (!keep) return void (await query(connection, ROLLBACK))
  try {
    const { command } = await query(connection, COMMIT)
    if (command !== 'COMMIT') throw new Error(`The server answered ${command} to COMMIT`)
  } catch (error) {
    throw error instanceof LostError && mark !== undefined ? new InDoubtError(mark, result) : error
  }
}

async function isRolledBack(connection: Connection): Promise<boolean> {
  try {
    await query(connection, ROLLBACK)
    return true
  } catch {
    return false
  }
}

/** Asks until the server answers. */
async function wasKept(mark: number, { connections, marks, time }: TransactionTools, until: number): Promise<boolean> {
  for (;;) {
    try {
      const connection = await takeFrom(connections)
      let isBroken = true
      try {
        const kept = await marks?.wasKept(mark, connection)
        isBroken = false
        return kept === true
      } finally {
        connection.release(isBroken)
      }
    } catch (error) {
      if (time.now() >= until) throw new UnknownOutcomeError(error instanceof Error ? error.message : String(error))
    }
    await time.pause(LONGEST_PAUSE_MS)
  }
}

/** Sends all statements at once. The first that failed is why the others did. */
async function queryAll(connection: Connection, statements: readonly Statement[]): Promise<readonly Answer[]> {
  const settled = await Promise.allSettled(statements.map((statement) => query(connection, statement)))
  const answers: Answer[] = []
  for (const each of settled) {
    if (each.status === 'rejected') throw partly(answers, each.reason)
    answers.push(each.value)
  }
  return answers
}

function partly(answers: readonly Answer[], cause: unknown): unknown {
  return cause instanceof Error && failureOf(cause) === 'refused' ? new PartlyDoneError(answers, cause) : cause
}

/** The outcome of a commit could not be found out: what it wrote may be there. */
class UnknownOutcomeError extends StoreError {
  constructor(why: string) {
    super('UNREACHABLE', `The database was lost while it committed (${why})`)
  }
}
