import type { RealTime } from '../../rims/real-time.ts'
import type { LeftOperation } from '../sharing.ts'
import { ask, askOnce } from './ask.ts'
import type { Connections } from './connections.ts'
import type { Marks } from './transaction.ts'

/** How long a process counts as alive after it was heard of. */
const ALIVE_FOR_SECONDS = 30
/** So much sooner it takes itself for gone than the others do. */
const MARGIN_MS = 5_000
const RENEWED_EVERY_MS = 5_000

/**
 * That this process is alive, as a row that all others see. Time is the server's, and here the time since the server was
 * asked: no clock of any node matters.
 */
export interface Lease {
  /** The number of this process. */
  node(): bigint
  isAlive(): boolean
  readonly marks: Marks
  /** Takes over what processes that are gone had sent. Gives that, and all that has the mark of this one. */
  takeLeft(limit: number): Promise<readonly LeftOperation[]>
  /** Ends it: what is left is anybody's at once. */
  end(): Promise<void>
}

export interface LeaseTools {
  readonly schema: string
  readonly connections: Connections
  readonly time: RealTime
  /** Runs this while nothing is being written. */
  readonly alone: (work: () => Promise<void>) => Promise<void>
  readonly onError: (error: unknown) => void
}

export async function leaseOf({ schema, alone, onError, ...tools }: LeaseTools): Promise<Lease> {
  const { time, connections } = tools
  const statements = leaseStatements(schema)
  let node = 0n
  let aliveUntil = 0
  let lastMark = 0

  /** After a lapse it goes on as another node: what the one before had sent is looked up. */
  async function register(): Promise<void> {
    const asked = time.now()
    const { rows } = await ask(statements.register, tools)
    node = rows[0]?.['node_id'] as bigint
    aliveUntil = asked + ALIVE_FOR_SECONDS * 1000 - MARGIN_MS
  }

  async function renew(): Promise<void> {
    const asked = time.now()
    const { rowCount } = await askOnce(statements.renew(node), connections)
    // An answer that comes after the lapse is too late: something may have been left unsent meanwhile.
    if (rowCount === 1 && time.now() < aliveUntil) aliveUntil = asked + ALIVE_FOR_SECONDS * 1000 - MARGIN_MS
    else await alone(register)
  }

  await register()
  let renewing: Promise<void> | undefined
  const stop = time.every(RENEWED_EVERY_MS, () => {
    renewing ??= renew()
      .catch(onError)
      .finally(() => {
        renewing = undefined
      })
  })
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
      stop()
      await renewing
      await askOnce(statements.leave(node), connections)
    },
  }
}

function leaseStatements(schema: string) {
  const until = `clock_timestamp() + interval '${ALIVE_FOR_SECONDS} s'`
  const alive = `EXISTS (SELECT 1 FROM ${schema}.nodes
    WHERE nodes.node_id = operations.sent_by AND nodes.alive_until > clock_timestamp())`
  return {
    /** Those that are gone for long go for good: what they had sent stays anybody's. */
    register: {
      text: `WITH gone AS (DELETE FROM ${schema}.nodes WHERE alive_until < clock_timestamp() - interval '1 day')
        INSERT INTO ${schema}.nodes (alive_until, last_mark) VALUES (${until}, 0) RETURNING node_id`,
    },
    renew: (node: bigint) => ({
      name: 'renew',
      text: `UPDATE ${schema}.nodes SET alive_until = ${until} WHERE node_id = $1 AND alive_until > clock_timestamp()`,
      values: [node],
    }),
    leave: (node: bigint) => ({ text: `DELETE FROM ${schema}.nodes WHERE node_id = $1`, values: [node] }),
    mark: (node: bigint, number: number) => ({
      name: 'mark',
      text: `UPDATE ${schema}.nodes SET last_mark = $2 WHERE node_id = $1`,
      values: [node, number],
    }),
    /** Waits for the transaction that holds the row, however it ends. */
    lastMark: (node: bigint) => ({
      text: `SELECT last_mark FROM ${schema}.nodes WHERE node_id = $1 FOR UPDATE`,
      values: [node],
    }),
    /** What it takes has the mark afterwards: when the answer is lost, the next one gives it again. */
    takeLeft: (node: bigint, limit: number) => ({
      text: `WITH left_over AS (
          SELECT order_seq AS seq, position AS place FROM ${schema}.operations WHERE status = 'sent' AND NOT ${alive}
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
