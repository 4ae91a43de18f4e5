import type { RealTime } from '../../runtime/system.ts'
import { dueTimes } from '../check-change.ts'
import type { AbandonedOperation, Change } from '../store.ts'
import { type Clocks, SERVER_NOW } from './clocks.ts'
import type { Connections } from './connections.ts'
import type { Jobs } from './pg-boss-jobs.ts'
import { ask, askOnce, atIntervals } from './retry.ts'
import type { Answer } from './statement.ts'
import type { Marks } from './transaction.ts'

/**
 * How long a process counts as alive after its last renewal. If it dies, others take over its work at the latest after
 *
 *      9.0 s   it renewed in the instant before it died
 *   +  1.5 s   the others renewed in the instant before its lease was over: each renewal also learns who is gone
 *   = 10.5 s,
 *
 * and the time that a transaction and the acquirer take: less than the 15 s that are promised. It cannot be much shorter: a
 * server that makes all processes wait for some seconds, as at a checkpoint, must not end all leases at once. A renewal has a
 * connection and a row of its own, so that it waits for nothing else in this process. It is sent every 1.5 s and given up
 * after 2.5 s. So the next renewal makes up for a lost one within the 7.5 s for which a process counts itself alive, and a
 * server that stands still for 5 s costs nobody the lease.
 */
const ALIVE_FOR_SECONDS = 9
/**
 * How much sooner a process counts itself as gone than the others do. Its 7.5 s begin before it asks the server, and the
 * server's 9 s after that, so the margin is for clocks that run at different speeds and for the time between the check of
 * the lease and the first byte to the acquirer. A process that stands still for longer just there may still send: because of
 * that, an operation that the acquirer does not know stays unknown for 15 minutes.
 */
const MARGIN_MS = 1_500
const RENEWED_EVERY_MS = 1_500
/** A renewal that takes longer is repeated on another connection. */
export const RENEWED_WITHIN_MS = 2_500

/**
 * Shows that this process is alive, by a row that all others see. Time is the server's and, in this process, the time since
 * it asked the server: the clocks of the nodes do not matter.
 */
export interface Lease {
  /** The number of this process. */
  node(): bigint
  isAlive(): boolean
  readonly marks: Marks
  /** Takes over operations that processes which are gone had sent. Returns all that are marked as sent by this process. */
  takeLeft(limit: number): Promise<readonly AbandonedOperation[]>
  /** Ends the lease: any process may take over what is left at once. */
  end(): Promise<void>
}

interface LeaseTools {
  readonly schema: string
  readonly connections: Connections
  /** For the lease alone: a renewal waits for no other statement. */
  readonly own: Connections
  readonly time: RealTime
  /** Compares the server's time at each renewal. */
  readonly clocks: Pick<Clocks, 'compare'>
  /** Called when a node has lapsed or left since the last renewal: any process may take over its work. */
  readonly onGone: () => void
  /** Runs the work while nothing is being written. */
  readonly alone: (work: () => Promise<void>) => Promise<void>
  readonly onError: (error: unknown) => void
}

export async function leaseOf({ schema, alone, onError, onGone, own, clocks, ...tools }: LeaseTools): Promise<Lease> {
  const { time } = tools
  const statements = leaseStatements(schema)
  let node = 0n
  let aliveUntil = 0
  let lastMark = 0
  let aliveBefore: readonly string[] = []

  /** After a lapse the process goes on as a new node: what it had sent as the old one is looked up. */
  async function register(): Promise<void> {
    const asked = time.now()
    const answer = await clocks.compare(() => ask(statements.register, { ...tools, connections: own }))
    node = answer.rows[0]?.['node_id'] as bigint
    heard(answer, asked)
  }

  async function renew(): Promise<void> {
    const asked = time.now()
    const answer = await clocks.compare(() => askOnce(statements.renew(node), own))
    // An answer that comes after the lapse is too late: an operation may have been left unsent meanwhile.
    if (answer.rowCount !== 1 || time.now() >= aliveUntil) return await alone(register)
    heard(answer, asked)
  }

  /**
   * Extends the lease. A node gets a new number after each lapse, so that no lapse is missed; the former number of this
   * process is reported like any other.
   */
  function heard({ rows: [row] }: Answer, asked: number): void {
    aliveUntil = asked + ALIVE_FOR_SECONDS * 1000 - MARGIN_MS
    const before = aliveBefore
    aliveBefore = String(row?.['alive']).match(/\d+/g) ?? []
    if (before.some((each) => !aliveBefore.includes(each))) onGone()
  }

  await register()
  const renewing = atIntervals(renew, { time, everyMs: RENEWED_EVERY_MS, onError })
  return {
    node: () => node,
    isAlive: () => time.now() < aliveUntil,
    marks: {
      next: () => {
        lastMark += 1
        return { number: lastMark, statement: statements.mark(node, lastMark) }
      },
      wasKept: async (number, connection) => {
        const { rows } = await connection.query(statements.lastMark(node))
        return Number(rows[0]?.['last_mark']) >= number
      },
    },
    takeLeft: async (limit) => {
      const { rows } = await ask(statements.takeLeft(node, limit), tools)
      return rows.map(({ order_id, operation_id }) => {
        return { orderId: String(order_id), operationId: String(operation_id) }
      })
    },
    end: async () => {
      await renewing.end()
      await askOnce(statements.leave(node), own)
    },
  }
}

export function aliveNodes(schema: string): string {
  return `SELECT node_id FROM ${schema}.nodes WHERE alive_until > clock_timestamp()`
}

function leaseStatements(schema: string) {
  const until = `clock_timestamp() + interval '${ALIVE_FOR_SECONDS} s'`
  const heard = `${SERVER_NOW}, ARRAY(${aliveNodes(schema)}) AS alive`
  return {
    /** Deletes nodes that are long gone. Any process may still take over what they had sent. */
    register: {
      text: `WITH gone AS (DELETE FROM ${schema}.nodes WHERE alive_until < clock_timestamp() - interval '1 day'),
        node AS (INSERT INTO ${schema}.nodes (alive_until) VALUES (${until}) RETURNING node_id)
        INSERT INTO ${schema}.node_marks (node_id, last_mark) SELECT node_id, 0 FROM node
        RETURNING node_id, ${heard}`,
    },
    renew: (node: bigint) => ({
      name: 'renew',
      text: `UPDATE ${schema}.nodes SET alive_until = ${until} WHERE node_id = $1 AND alive_until > clock_timestamp()
        RETURNING ${heard}`,
      values: [node],
    }),
    leave: (node: bigint) => ({ text: `DELETE FROM ${schema}.nodes WHERE node_id = $1`, values: [node] }),
    mark: (node: bigint, number: number) => ({
      name: 'mark',
      text: `UPDATE ${schema}.node_marks SET last_mark = $2 WHERE node_id = $1`,
      values: [node, number],
    }),
    /** Waits for the transaction that holds the row, however it ends. */
    lastMark: (node: bigint) => ({
      text: `SELECT last_mark FROM ${schema}.node_marks WHERE node_id = $1 FOR UPDATE`,
      values: [node],
    }),
    /** Marks what it takes: if the answer is lost, the next one has it again. */
    takeLeft: (node: bigint, limit: number) => ({
      text: `WITH left_over AS (
          SELECT order_seq AS seq, position AS place FROM ${schema}.operations WHERE status = 'sent'
            AND (sent_by IS NULL OR sent_by <> ALL (ARRAY(${aliveNodes(schema)})))
          ORDER BY status_at LIMIT $2 FOR UPDATE OF operations SKIP LOCKED
        ), taken AS (
          UPDATE ${schema}.operations SET sent_by = $1 FROM left_over
          WHERE operations.order_seq = left_over.seq AND operations.position = left_over.place
          RETURNING operations.order_seq, operations.operation_id
        ), mine AS (
          SELECT order_seq, operation_id FROM ${schema}.operations WHERE status = 'sent' AND sent_by = $1
        )
        SELECT orders.order_id, given.operation_id FROM (SELECT * FROM taken UNION SELECT * FROM mine) AS given
        JOIN ${schema}.orders ON orders.seq = given.order_seq`,
      values: [node, limit],
    }),
  }
}

/**
 * How often every process looks for what is due and what others have left, even if nothing woke it: a lost job does no harm.
 * Taking over the work of a process that died does not wait for this (`lease.ts`).
 */
const LOOKED_EVERY_MS = 5_000

/** Makes processes look when something may be due. */
export interface WakeUps {
  onWake(look: () => void): () => void
  /** Makes this process look at once. */
  wake(): void
  /** Makes some process look when what this change has scheduled for later is due. */
  announce(change: Change, now: number): void
  end(): Promise<void>
}

export function wakeUps(time: RealTime, startJobs: ((wake: () => void) => Jobs) | undefined): WakeUps {
  const listeners = new Set<() => void>()
  const wake = () => {
    for (const look of listeners) look()
  }
  const stop = time.every(LOOKED_EVERY_MS, wake)
  const jobs = startJobs?.(wake)
  return {
    onWake: (look) => {
      listeners.add(look)
      return () => listeners.delete(look)
    },
    wake,
    announce: (change, now) => {
      if (jobs === undefined) return
      // This process does what is due at once and what it claims; if it dies, the others look within seconds.
      const left = change.claimsDeliveries === true ? { ...change, deliveries: [] } : change
      for (const dueAt of dueTimes(left)) if (dueAt > now) jobs.wakeIn(dueAt - now)
    },
    end: async () => {
      stop()
      listeners.clear()
      await jobs?.stop()
    },
  }
}
