import { StoreError } from '../store-error.ts'
import type { Connection, Connections } from './connections.ts'
import { failureOf } from './failure.ts'
import type { Answer, Statement } from './statement.ts'

/** The driver's error if the server was not reached. */
export class LostError extends Error {
  override readonly name = 'LostError'
}

export async function takeFrom(connections: Connections): Promise<Connection> {
  try {
    return await connections.take()
  } catch (error) {
    throw understood(error)
  }
}

export async function query(connection: Connection, statement: Statement): Promise<Answer> {
  try {
    return await connection.query(statement)
  } catch (error) {
    throw understood(error)
  }
}

/** Of the statements that were sent at once, one was refused, and with it all that came after it. */
export class PartlyDoneError extends Error {
  override readonly name = 'PartlyDoneError'
  /** The answers to the statements before it. */
  readonly answers: readonly Answer[]
  override readonly cause: unknown

  constructor(answers: readonly Answer[], cause: unknown) {
    super('a statement was refused')
    this.answers = answers
    this.cause = cause
  }
}

/** Sends all statements at once. The first that failed is why the others did. */
export async function queryAll(connection: Connection, statements: readonly Statement[]): Promise<readonly Answer[]> {
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

function understood(error: unknown): unknown {
  if (error instanceof StoreError || failureOf(error) !== 'lost') return error
  return new LostError(wordsOf(error))
}

/** If a name has several addresses, the driver's error has no message of its own, but an error for each. */
function wordsOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(wordsOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}
