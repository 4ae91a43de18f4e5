import type { RealTime } from '../../runtime/real-time.ts'
import { StoreError } from '../store-error.ts'
import { LostError } from './connection-errors.ts'
import { failureOf } from './failure.ts'

export interface Patience {
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

/** The outcome of a commit could not be found out: what it wrote may be there. */
export class UnknownOutcomeError extends StoreError {
  constructor(why: string) {
    super('UNREACHABLE', `The database was lost while it committed (${why})`)
  }
}

/**
 * Does the work, and tries again while that helps: others wrote the same, or the server was lost. The work receives the time
 * when the patience ends.
 *
 * @throws StoreError `UNREACHABLE` if the server stayed away
 */
export async function patiently<Result>(
  work: (until: number) => Promise<Result>,
  { time, patienceMs = PATIENCE_MS }: Patience,
): Promise<Result> {
  const until = time.now() + patienceMs
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    try {
      return await work(until)
    } catch (error) {
      if (!isWorthAnotherTry(error) || time.now() >= until) throw told(error)
    }
    await time.pause(pause)
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
