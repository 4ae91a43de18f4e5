import { retry } from '@tallystick/durable/retry'
import type { RealTime } from '../../runtime/system.ts'
import { StoreError } from '../store-error.ts'
import { failureOf, LostError, query, takeFrom } from './connection-errors.ts'
import type { Connections } from './connections.ts'
import type { Answer, Statement } from './statement.ts'

export interface Retries {
  readonly time: RealTime
  /** How long to try again if the server is away or others write the same. Default 8 s: callers have 30. */
  readonly patienceMs?: number
}

const PATIENCE_MS = 8_000
const FIRST_PAUSE_MS = 10
export const LONGEST_PAUSE_MS = 500

/** Others were quicker, without the database reporting it. */
export class CollisionError extends Error {
  override readonly name = 'CollisionError'
}

/**
 * Does the work, and tries again while that helps: others wrote the same, or the server was lost. The work receives the time
 * when the patience ends.
 *
 * @throws StoreError `UNREACHABLE` if the server stayed away
 */
export async function withRetries<Result>(
  work: (until: number) => Promise<Result>,
  { time, patienceMs = PATIENCE_MS }: Retries,
): Promise<Result> {
  const pauseMs = (tries: number) => Math.min(FIRST_PAUSE_MS * 2 ** (tries - 1), LONGEST_PAUSE_MS)
  try {
    return await retry(work, { time, timeoutMs: patienceMs, isPassing: isWorthAnotherTry, pauseMs })
  } catch (error) {
    throw told(error)
  }
}

function isWorthAnotherTry(error: unknown): boolean {
  if (error instanceof LostError || error instanceof CollisionError) return true
  return error instanceof Error && 'severity' in error && failureOf(error) === 'collided'
}

function told(error: unknown): unknown {
  return error instanceof LostError
    ? new StoreError('UNREACHABLE', `The database does not answer (${error.message})`)
    : error
}

interface Repeated {
  /** Stops the repetition. Resolves when the work under way has ended. */
  end(): Promise<void>
}

interface RepeatTools {
  readonly time: RealTime
  readonly everyMs: number
  readonly onError: (error: unknown) => void
}

/** Does the work again and again, never twice at once. */
export function atIntervals(work: () => Promise<void>, { time, everyMs, onError }: RepeatTools): Repeated {
  let running: Promise<void> | undefined
  const stop = time.every(everyMs, () => {
    running ??= work()
      .catch(onError)
      .finally(() => {
        running = undefined
      })
  })
  return {
    end: async () => {
      stop()
      await running
    },
  }
}

export interface AskTools extends Retries {
  readonly connections: Connections
}

/** Runs one statement on any connection, and repeats it while that helps. The statement must bear being run twice. */
export function ask(statement: Statement, tools: AskTools): Promise<Answer> {
  return withRetries(() => askOnce(statement, tools.connections), tools)
}

export async function askOnce(statement: Statement, connections: Connections): Promise<Answer> {
  const connection = await takeFrom(connections)
  let isBroken = false
  try {
    return await query(connection, statement)
  } catch (error) {
    isBroken = error instanceof LostError
    throw error
  } finally {
    connection.release(isBroken)
  }
}
