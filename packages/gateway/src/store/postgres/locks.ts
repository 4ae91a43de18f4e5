import type { Statement } from './statement.ts'

/**
 * Locks of the server that last as long as a transaction. Every transaction that writes shares `writing`: who takes it
 * alone knows that none is open which began before. It costs no write, and works through a pooler.
 */
export function locksOf(schema: string) {
  const key = (name: string) => `hashtextextended('tallystick ${schema} ${name}', 0)`
  return {
    writing: { name: 'share_writing', text: `SELECT pg_advisory_xact_lock_shared(${key('writing')})` },
    alone: { text: `SELECT pg_advisory_xact_lock(${key('writing')})` },
    migrating: { text: `SELECT pg_advisory_xact_lock(${key('migrating')})` },
  } satisfies Record<string, Statement>
}
