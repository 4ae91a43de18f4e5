import { SQLSTATE, serverCode } from '@tallystick/durable/sqlstate'
import { SEQ_BLOCK } from '../sql/tables.ts'
import { ANSWER_WITHIN_MS } from './connections.ts'
import type { Statement } from './statement.ts'
import { type Step, type TransactionTools, transact } from './transaction.ts'

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

/**
 * Waits until every writing transaction that is open now has ended, on any node. It does not wait for long, because every
 * transaction that begins meanwhile waits behind it.
 *
 * @returns `false` if one of them did not end in time
 */
export function writeBarrier(schema: string, bare: TransactionTools): () => Promise<boolean> {
  const { alone, briefly } = locksOf(schema)
  const tools = { ...bare, opening: [briefly, alone], patienceMs: 0 }
  return async () => {
    try {
      await transact(function* () {
        yield []
        return { keep: false, result: undefined }
      }, tools)
      return true
    } catch (error) {
      if (error instanceof Error && serverCode(error) === SQLSTATE.LOCK_NOT_AVAILABLE) return false
      throw error
    }
  }
}

/**
 * The numbers of new rows of orders. A node takes a block of them from the server, so that rows which refer to an order can
 * be sent together with it. What is left of a block at the end is never used.
 */
export interface IdBlocks {
  /** Makes sure that `count` numbers can be taken. */
  reserve(count: number): Step<void>
  take(): number
}

export function idBlocks(schema: string): IdBlocks {
  const next = { name: 'next_seqs', text: `SELECT nextval('${schema}.order_seqs') AS first` }
  const blocks: { at: number; readonly end: number }[] = []
  const left = () => blocks.reduce((sum, { at, end }) => sum + end - at, 0)
  return {
    *reserve(count) {
      while (left() < count) {
        const [answer] = yield [next]
        const first = Number(answer?.rows[0]?.['first'])
        blocks.push({ at: first, end: first + SEQ_BLOCK })
      }
    },
    take: () => {
      while (blocks[0] !== undefined && blocks[0].at === blocks[0].end) blocks.shift()
      const [block] = blocks
      if (block === undefined) throw new RangeError('No number was reserved')
      block.at += 1
      return block.at - 1
    },
  }
}
