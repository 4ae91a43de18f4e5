import { ANSWER_WITHIN_MS } from './connections.ts'
import type { Statement } from './statement.ts'

/** A process that stands still within a transaction blocks all others: the server ends its session after this. */
const IDLE_FOR_MS = 10_000
const BRIEFLY_MS = 500

/**
 * Locks of the server that last as long as a transaction. Every transaction that writes shares `writing`: whoever takes it
 * alone knows that no earlier one is still open. The lock costs no write, and works through a pooler. So do the timeouts that
 * are set with it; a pooler would not pass them on if they were set when a connection is made.
 */
export function locksOf(schema: string) {
  const key = (name: string) => `hashtextextended('tallystick ${schema} ${name}', 0)`
  const notIdle = `set_config('idle_in_transaction_session_timeout', '${IDLE_FOR_MS}', true)`
  return {
    writing: {
      name: 'share_writing',
      text: `SELECT ${notIdle}, set_config('statement_timeout', '${ANSWER_WITHIN_MS}', true),
        pg_advisory_xact_lock_shared(${key('writing')})`,
    },
    /** Goes before another lock, and limits how long to wait for that. */
    briefly: { text: `SELECT set_config('lock_timeout', '${BRIEFLY_MS}', true)` },
    alone: { text: `SELECT ${notIdle}, pg_advisory_xact_lock(${key('writing')})` },
    migrating: { text: `SELECT ${notIdle}, pg_advisory_xact_lock(${key('migrating')})` },
  } satisfies Record<string, Statement>
}
