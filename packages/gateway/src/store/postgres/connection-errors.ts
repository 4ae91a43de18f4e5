import { SQLSTATE, serverCode } from '@tallystick/durable/sqlstate'
import { StoreError } from '../store-error.ts'
import type { Connection, Connections } from './connections.ts'
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

function understood(error: unknown): unknown {
  if (error instanceof StoreError || failureOf(error) !== 'lost') return error
  return new LostError(wordsOf(error))
}

/** If a name has several addresses, the driver's error has no message of its own, but an error for each. */
function wordsOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(wordsOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}

/**
 * What a failure of a statement means. `lost`: the connection, or the server, is gone, or no server was there. `collided`:
 * others wrote the same at once; another try will succeed. `refused`: the server will never do it.
 */
type Failure = 'lost' | 'collided' | 'refused'

const COLLISIONS: readonly string[] = [SQLSTATE.SERIALIZATION_FAILURE, SQLSTATE.DEADLOCK, SQLSTATE.LOCK_NOT_AVAILABLE]
/**
 * Failures that another connection may not have: connection exceptions; a server that is stopping, starting or full, or that
 * has waited too long for a statement to end or for the next one; a read-only server, which after a fail-over another
 * connection does not lead to; a prepared statement that no longer fits its table, or that a pooler has lost.
 */
const LOSSES = /^(08|57P0|53300|57014|25P03|25006|0A000|26000)/

/** An error that does not come from the server means that the server was not reached. */
export function failureOf(error: unknown): Failure {
  const code = serverCode(error)
  if (code === undefined || LOSSES.test(code)) return 'lost'
  return COLLISIONS.includes(code) ? 'collided' : 'refused'
}
